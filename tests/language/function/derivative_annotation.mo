function f
  input Real x;
  input Real k;
  output Real y;
algorithm
  y := k*x^2;
  annotation(smoothOrder = 2, derivative(zeroDerivative = k) = f_der);
end f;
function f_der
  input Real x;
  input Real k;
  input Real x_der;
  output Real y_der;
algorithm
  y_der := 2*k*x*x_der;
end f_der;
model M
  Real y = f(time, 2);
end M;
// expect flat:
// function f
//   input Real x;
//   input Real k;
//   output Real y;
// algorithm
//   y := k*x^2.0;
//   annotation(smoothOrder = 2, derivative(order = 1, zeroDerivative = k) = f_der);
// end f;
// function f_der
//   input Real x;
//   input Real k;
//   input Real x_der;
//   output Real y_der;
// algorithm
//   y_der := 2.0*k*x*x_der;
// end f_der;
// model M
//   Real y;
// equation
//   y = f(time, 2.0);
// end M;
