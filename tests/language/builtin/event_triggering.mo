model M
  Integer a = integer(time);
  Real b = floor(time), c = ceil(time), d = mod(time, 2), e = rem(time, 2), g = div(time, 2);
  Integer h = div(a, 2), i = mod(a, 3), j = rem(a, 3);
  Real k = sign(time), l = abs(time - 1);
  Integer m = abs(a);
end M;
// expect flat:
// model M
//   Integer a;
//   Real b;
//   Real c;
//   Real d;
//   Real e;
//   Real g;
//   Integer h;
//   Integer i;
//   Integer j;
//   Real k;
//   Real l;
//   Integer m;
// equation
//   a = integer(time);
//   b = floor(time);
//   c = ceil(time);
//   d = mod(time, 2.0);
//   e = rem(time, 2.0);
//   g = div(time, 2.0);
//   h = div(a, 2);
//   i = mod(a, 3);
//   j = rem(a, 3);
//   k = sign(time);
//   l = abs(time - 1.0);
//   m = abs(a);
// end M;
