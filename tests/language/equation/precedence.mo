model M
  Real a = 1;
  Real b = 2;
  Real c = 3;
  Real r1 = a - (b - c);
  Real r2 = a - b - c;
  Real r3 = a/(b*c);
  Real r4 = a/b*c;
  Real r5 = -(a + b);
  Real r6 = -a*b;
  Real r7 = (-a)^2;
  Real r8 = a^(-b);
  Real r9 = (a^b)^c;
  Real r10 = a*(-b);
  Boolean p = not (a > b and b > c) or a == c;
  Real r11 = (if p then a else b) + 1;
end M;
// expect warning: 15:40 '==' of Reals that change
// expect flat:
// model M
//   Real a;
//   Real b;
//   Real c;
//   Real r1;
//   Real r2;
//   Real r3;
//   Real r4;
//   Real r5;
//   Real r6;
//   Real r7;
//   Real r8;
//   Real r9;
//   Real r10;
//   Boolean p;
//   Real r11;
// equation
//   a = 1.0;
//   b = 2.0;
//   c = 3.0;
//   r1 = a - (b - c);
//   r2 = a - b - c;
//   r3 = a/(b*c);
//   r4 = a/b*c;
//   r5 = -(a + b);
//   r6 = -a*b;
//   r7 = (-a)^2.0;
//   r8 = a^(-b);
//   r9 = (a^b)^c;
//   r10 = a*(-b);
//   p = not (a > b and b > c) or a == c;
//   r11 = (if p then a else b) + 1.0;
// end M;
