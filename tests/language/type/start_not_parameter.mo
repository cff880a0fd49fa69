model M
  Real y = time;
  Real x(start = y, fixed = true);
equation
  der(x) = -x;
end M;
// expect error: 3:18 attribute 'start' cannot depend on a value that changes
