// The least of no Reals is the greatest one, and the other way round (section 10.3.4.1).
model M
  Real none[0];
  Real x = min(none);
  Real y = max(i * time for i in 1:0);
  Real z = min(min(none), time);
end M;
// expect flat:
// model M
//   Real x;
//   Real y;
//   Real z;
// equation
//   x = 1.7976931348623157e308;
//   y = -1.7976931348623157e308;
//   z = min(1.7976931348623157e308, time);
// end M;
