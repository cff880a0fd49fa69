// Points that are Strings were converted to nothing, and that was looked at: a crash.
model M
  Real a, b;
equation
  (a, b) = spatialDistribution(sin(time), 0.0, time, true, {"a", "b"}, {1, 2});
end M;
// expect error: 5:60 the points of 'spatialDistribution' must be at least two Reals
