model M
  Real a(unit = "m/s^2") = 1;
  Real b(unit = "N*m") = 1;
  Real c(unit = "stone") = 1;
end M;
// expect warning: 2:8 unit "m/s^2" of 'a' is not known; did you mean "m/s2"?
// expect warning: 3:8 unit "N*m" of 'b' is not known; did you mean "N.m"?
// expect warning: 4:8 unit "stone" of 'c' is not known
// expect flat:
// model M
//   Real a(unit = "m/s^2");
//   Real b(unit = "N*m");
//   Real c(unit = "stone");
// equation
//   a = 1.0;
//   b = 1.0;
//   c = 1.0;
// end M;
