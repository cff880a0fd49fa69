model M
  Real a = time ^ (-2.0), b = time - (-1.5), c = 2 ^ (-time), d = time * (-3);
  Integer i(start = 0, fixed = true), j = i - (-4);
equation
  when time > 1 then i = pre(i) + 1; end when;
end M;
// expect flat:
// model M
//   Real a;
//   Real b;
//   Real c;
//   Real d;
//   Integer i(start = 0, fixed = true);
//   Integer j;
// equation
//   a = time^(-2.0);
//   b = time - (-1.5);
//   c = 2.0^(-time);
//   d = time*(-3.0);
//   j = i - (-4);
//   when time > 1.0 then
//     i = pre(i) + 1;
//   end when;
// end M;
