model A
  parameter Real k = 2;
  function f
    input Real x;
    output Real y;
  algorithm
    y := 3*x;
  end f;
end A;
model M
  A a;
  Real y = a.f(time);
end M;
// expect flat:
// function 'A.f'
//   input Real x;
//   output Real y;
// algorithm
//   y := 3.0*x;
// end 'A.f';
// model M
//   parameter Real 'a.k' = 2.0;
//   Real y;
// equation
//   y = 'A.f'(time);
// end M;
