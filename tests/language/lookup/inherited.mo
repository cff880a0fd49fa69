package Base
  constant Real k = 3;
  model Inner
    Real v = k;
  end Inner;
end Base;
package Derived
  extends Base(k = 5);
end Derived;
model M
  Base.Inner a;
  Derived.Inner b;
  parameter Real p = Derived.k;
end M;
// expect flat:
// model M
//   Real 'a.v';
//   Real 'b.v';
//   parameter Real p = 5.0;
// equation
//   'a.v' = 3.0;
//   'b.v' = 5.0;
// end M;
