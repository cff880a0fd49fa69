package Base
  replaceable model M
    parameter Real a = 1;
    Real x = a;
  end M;
  model User
    M m;
  end User;
end Base;
package Derived
  extends Base;
  redeclare model extends M(a = 2)
    Real y = x + 1;
  end M;
end Derived;
model Test
  Base.User u;
  Derived.User v;
end Test;
// expect flat:
// model Test
//   parameter Real 'u.m.a' = 1.0;
//   Real 'u.m.x';
//   parameter Real 'v.m.a' = 2.0;
//   Real 'v.m.x';
//   Real 'v.m.y';
// equation
//   'u.m.x' = 'u.m.a';
//   'v.m.x' = 'v.m.a';
//   'v.m.y' = 'v.m.x' + 1.0;
// end Test;
