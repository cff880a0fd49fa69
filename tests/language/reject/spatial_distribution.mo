model M
  Real y;
equation
  (y, ) = spatialDistribution(1, 2, 3, true);
end M;
// expect error: 4:11 'spatialDistribution' is not supported
