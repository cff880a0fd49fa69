model M
  Real x(start = 0, fixed = true);
  Real a, b;
equation
  der(x) = 1;
  (a, b) = spatialDistribution(in0 = 1, in1 = time, x = x, positiveVelocity = true);
end M;
// expect flat:
// model M
//   Real x(start = 0.0, fixed = true);
//   Real a;
//   Real b;
// equation
//   der(x) = 1.0;
//   a = spatialDistribution(1.0, time, x, true, {0.0, 1.0}, {0.0, 0.0});
//   b = spatialDistributionOut1(1.0, time, x, true, {0.0, 1.0}, {0.0, 0.0});
// end M;
