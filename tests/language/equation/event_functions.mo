model M
  Real x = time;
  Integer i = integer(x);
  Real a = floor(x) + ceil(x);
  Real b = mod(x, 2) + rem(x, 3) + div(x, 4);
  Integer c = mod(7, 4) + div(-7, 2) + rem(-7, 2);
  Real d = sign(x)*abs(x);
  Real e = noEvent(if x > 0 then sqrt(x) else 0);
  Real f = smooth(1, if x > 0 then x^2 else 0);
  Real g = semiLinear(x, 2, 3);
  Real h = homotopy(x^2, x);
  Real k = homotopy(simplified = x, actual = x^3);
  Boolean b1 = edge(b2) or change(i) or terminal();
  Boolean b2 = x > 1;
end M;
// expect flat:
// model M
//   Real x;
//   Integer i;
//   Real a;
//   Real b;
//   Integer c;
//   Real d;
//   Real e;
//   Real f;
//   Real g;
//   Real h;
//   Real k;
//   Boolean b1;
//   Boolean b2;
// equation
//   x = time;
//   i = integer(x);
//   a = floor(x) + ceil(x);
//   b = mod(x, 2.0) + rem(x, 3.0) + div(x, 4.0);
//   c = -1;
//   d = sign(x)*abs(x);
//   e = noEvent(if x > 0.0 then sqrt(x) else 0.0);
//   f = smooth(1, if x > 0.0 then x^2.0 else 0.0);
//   g = semiLinear(x, 2.0, 3.0);
//   h = homotopy(x^2.0, x);
//   k = homotopy(x^3.0, x);
//   b1 = edge(b2) or change(i) or terminal();
//   b2 = x > 1.0;
// end M;
