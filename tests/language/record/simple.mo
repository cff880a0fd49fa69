record Complex
  Real re;
  Real im;
end Complex;
record Shifted
  extends Complex;
  Real offset = 0.5;
end Shifted;
model M
  Complex a = Complex(1, 2);
  Complex b(re = time, im = 3);
  Shifted c = Shifted(im = 7, re = a.re);
  Complex d;
equation
  d = if time > 1 then a else b;
end M;
// expect flat:
// model M
//   Real 'a.re';
//   Real 'a.im';
//   Real 'b.re';
//   Real 'b.im';
//   Real 'c.re';
//   Real 'c.im';
//   Real 'c.offset';
//   Real 'd.re';
//   Real 'd.im';
// equation
//   'a.re' = 1.0;
//   'a.im' = 2.0;
//   'b.re' = time;
//   'b.im' = 3.0;
//   'c.re' = 'a.re';
//   'c.im' = 7.0;
//   'c.offset' = 0.5;
//   'd.re' = if time > 1.0 then 'a.re' else 'b.re';
//   'd.im' = if time > 1.0 then 'a.im' else 'b.im';
// end M;
