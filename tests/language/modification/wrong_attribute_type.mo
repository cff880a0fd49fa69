model M
  Real x(start = "one") = 1;
end M;
// expect error: 2:18 attribute 'start' must be Real, but this is String
