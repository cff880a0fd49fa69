package P
  model Base
    parameter Real v = 1;
    parameter Integer n = 1;
  end Base;
  model Other
    parameter Real v = 2;
    parameter Real n = 2;
  end Other;
  model User
    replaceable Base c;
  end User;
  model M
    User user(redeclare Other c);
  end M;
end P;
// expect error: 14:15 'P.Other' cannot take this place: its 'n' is Real, not Integer
