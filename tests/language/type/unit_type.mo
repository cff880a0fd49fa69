model M
  Real x(unit = 3) = time;
end M;
// expect error: 2:17 attribute 'unit' must be String, but this is Integer
