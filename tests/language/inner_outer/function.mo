partial function A
  input Real u;
  output Real y;
end A;
function B
  extends A;
algorithm
  y := u + 1;
end B;
function C
  extends A;
algorithm
  y := u + 2;
end C;
model D
  outer function f = A;
  parameter Real y = f(1);
end D;
model E
  inner function f = B;
  D d;
end E;
model F
  inner function f = C;
  D d;
end F;
model M
  E e;
  F f;
  constant Real y = 0;
end M;
// expect flat:
// function 'E.f'
//   input Real u;
//   output Real y;
// algorithm
//   y := u + 1.0;
// end 'E.f';
// function 'F.f'
//   input Real u;
//   output Real y;
// algorithm
//   y := u + 2.0;
// end 'F.f';
// model M
//   parameter Real 'e.d.y' = 'E.f'(1.0);
//   parameter Real 'f.d.y' = 'F.f'(1.0);
//   constant Real y = 0.0;
// end M;
