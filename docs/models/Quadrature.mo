model Quadrature "A function as an argument"
  partial function Integrand
    input Real x;
    output Real y;
  end Integrand;
  function integral "Simpson's rule"
    input Integrand f;
    input Real a;
    input Real b;
    output Real q;
  algorithm
    q := (b - a)*(f(a) + 4*f((a + b)/2) + f(b))/6;
  end integral;
  function power
    extends Integrand;
    input Real k;
  algorithm
    y := x^k;
  end power;
  parameter Real k = 3;
  Real q = integral(function power(k = k), 0, time) "time^(k + 1)/(k + 1)";
end Quadrature;
