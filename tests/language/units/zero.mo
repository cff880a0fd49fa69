// A product with the literal 0 is zero of any dimension: a complex resistance has one.
model M
  parameter Real R(unit = "Ohm") = 2;
  Real re(unit = "A") = time, im(unit = "A") = 2;
  Real u(unit = "V") = R*re - 0*im;
  Real w(unit = "V") = R*im + 0*(3*re + 0*u);
end M;
// expect flat:
// model M
//   parameter Real R(unit = "Ohm") = 2.0;
//   Real re(unit = "A");
//   Real im(unit = "A");
//   Real u(unit = "V");
//   Real w(unit = "V");
// equation
//   re = time;
//   im = 2.0;
//   u = R*re - 0.0*im;
//   w = R*im + 0.0*(3.0*re + 0.0*u);
// end M;
