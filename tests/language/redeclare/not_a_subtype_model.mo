package P
  partial model Base
    Real v;
  end Base;
  model Good
    extends Base;
  equation
    v = 1;
  end Good;
  model Bad
    Real u;
  equation
    u = 1;
  end Bad;
  model User
    replaceable model M = Good constrainedby Base;
    M m;
  end User;
  model Fine
    User user(redeclare model M = Good);
  end Fine;
  model M
    User user(redeclare model M = Bad);
  end M;
end P;
// expect error: 23:15 'P.M.M' cannot take this place: it has no component 'v'
