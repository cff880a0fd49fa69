function f
  input Real x;
  input Real p;
  output Real y;
algorithm
  y := p*x^2;
  annotation(derivative(noDerivative = p) = f_der, smoothOrder = 2, Inline = true, inverse(x = f_inv(y, p)));
end f;
function f_der
  input Real x;
  input Real p;
  input Real x_der;
  output Real y_der;
algorithm
  y_der := 2*p*x*x_der;
end f_der;
function f_inv
  input Real y;
  input Real p;
  output Real x;
algorithm
  x := sqrt(y/p);
end f_inv;
model M
  Real y = f(time, 3);
end M;
// expect flat:
// function f
//   input Real x;
//   input Real p;
//   output Real y;
// algorithm
//   y := p*x^2.0;
//   annotation(Inline = true, smoothOrder = 2, derivative(order = 1, noDerivative = p) = f_der, inverse(x = f_inv(y, p)));
// end f;
// function f_der
//   input Real x;
//   input Real p;
//   input Real x_der;
//   output Real y_der;
// algorithm
//   y_der := 2.0*p*x*x_der;
// end f_der;
// function f_inv
//   input Real y;
//   input Real p;
//   output Real x;
// algorithm
//   x := sqrt(y/p);
// end f_inv;
// model M
//   Real y;
// equation
//   y = f(time, 3.0);
// end M;
