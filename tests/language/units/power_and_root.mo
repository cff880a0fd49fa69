model M
  Real a(unit = "m") = 2;
  Real area(unit = "m2") = a^2;
  Real b(unit = "m") = sqrt(area);
  Real wrong(unit = "m") = a^3;
end M;
// expect warning: 5:28 the sides of the equation have different units: m and m3
// expect flat:
// model M
//   Real a(unit = "m");
//   Real area(unit = "m2");
//   Real b(unit = "m");
//   Real wrong(unit = "m");
// equation
//   a = 2.0;
//   area = a^2.0;
//   b = sqrt(area);
//   wrong = a^3.0;
// end M;
