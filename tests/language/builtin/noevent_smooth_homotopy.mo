model M
  Real x = noEvent(if time > 1 then 1 else 2);
  Real y = smooth(0, if time > 1 then time else 1);
  Real z = homotopy(time^2, time);
  Real w = homotopy(simplified = time, actual = sqrt(time));
  Real v = semiLinear(time, 2, 3);
end M;
// expect flat:
// model M
//   Real x;
//   Real y;
//   Real z;
//   Real w;
//   Real v;
// equation
//   x = noEvent(if time > 1.0 then 1 else 2);
//   y = smooth(0, if time > 1.0 then time else 1.0);
//   z = homotopy(time^2.0, time);
//   w = homotopy(sqrt(time), time);
//   v = semiLinear(time, 2.0, 3.0);
// end M;
