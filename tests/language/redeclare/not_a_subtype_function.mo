package P
  partial function F
    input Real x;
    output Real y;
  end F;
  function Good
    extends F;
    input Real k = 2;
  algorithm
    y := k * x;
  end Good;
  function Bad
    extends F;
    input Real k;
  algorithm
    y := k * x;
  end Bad;
  model User
    replaceable function f = F;
    Real y;
  equation
    y = time;
  end User;
  model M
    User a(redeclare function f = Good);
    User b(redeclare function f = Bad);
    Real z = a.f(1) + b.f(1, 2);
  end M;
end P;
// expect error: 26:12 'P.M.f' cannot take this place: its input 'k' has no default value, and the constraining type has no such input
