model M
  parameter Real L(unit = "H") = 1;
  parameter Real R(unit = "Ohm") = 2;
  parameter Real C(unit = "uF") = 3;
  Real i(unit = "A", start = 1);
  Real u(unit = "V");
  Real E(unit = "J") = 0.5*L*i^2 + 0.5*C*u^2;
  Real omega(unit = "rad/s") = 1/sqrt(L*C);
  Real k(unit = "N.m/(kg.K)") = 1;
  Real f(unit = "Hz") = omega/6.28;
equation
  L*der(i) = u - R*i;
  u = 3;
end M;
// expect flat:
// model M
//   parameter Real L(unit = "H") = 1.0;
//   parameter Real R(unit = "Ohm") = 2.0;
//   parameter Real C(unit = "uF") = 3.0;
//   Real i(unit = "A", start = 1.0);
//   Real u(unit = "V");
//   Real E(unit = "J");
//   Real omega(unit = "rad/s");
//   Real k(unit = "N.m/(kg.K)");
//   Real f(unit = "Hz");
// equation
//   E = 0.5*L*i^2.0 + 0.5*C*u^2.0;
//   omega = 1.0/sqrt(L*C);
//   k = 1.0;
//   f = omega/6.28;
//   L*der(i) = u - R*i;
//   u = 3.0;
// end M;
