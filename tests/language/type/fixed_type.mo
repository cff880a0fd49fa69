model M
  Real x(start = 1, fixed = 1);
equation
  der(x) = -x;
end M;
// expect error: 2:29 attribute 'fixed' must be Boolean, but this is Integer
