model M
  Real a = sum(i*time for i in 1:3), b = product(i for i in 1:4), c = max(i^2 for i in {1, -3, 2}), d = min(-i for i in 1:2);
  Real e = sum(i + j for i in 1:2, j in 1:2);
  Real g = sum(time for i in 1:0), h = product(time for i in 1:0);
end M;
// expect flat:
// model M
//   Real a;
//   Real b;
//   Real c;
//   Real d;
//   Real e;
//   Real g;
//   Real h;
// equation
//   a = 1.0*time + 2.0*time + 3.0*time;
//   b = 24.0;
//   c = 9.0;
//   d = -2.0;
//   e = 12.0;
//   g = 0.0;
//   h = 1.0;
// end M;
