model M
  constant Integer a = integer(2.7), b = integer(-2.7), c = div(-7, 2), d = mod(-7, 3), e = rem(-7, 3);
  constant Real f = floor(-1.5), g = ceil(-1.5), h = mod(-1.5, 1), i = sign(-3.0), j = div(7.5, 2);
  constant Real k = max(1, 2.5), l = min({3, 1, 2}), m = 2^10, n = 7/2;
  constant Boolean o = 1 < 2 and not 2 <= 1 or false;
  constant String p = "a" + "b";
  Real x = time;
end M;
// expect flat:
// model M
//   constant Integer a = 2;
//   constant Integer b = -3;
//   constant Integer c = -3;
//   constant Integer d = 2;
//   constant Integer e = -1;
//   constant Real f = -2.0;
//   constant Real g = -1.0;
//   constant Real h = 0.5;
//   constant Real i = -1.0;
//   constant Real j = 3.0;
//   constant Real k = 2.5;
//   constant Real l = 1.0;
//   constant Real m = 1024.0;
//   constant Real n = 3.5;
//   constant Boolean o = true;
//   constant String p = "ab";
//   Real x;
// equation
//   x = time;
// end M;
