model M
  parameter Real v[3] = {1, 2};
end M;
// expect error: 2:25 the binding of 'v' must be Real[3], but this is Integer[2]
