model M
  Real x = time;
  parameter Real p = x;
end M;
// expect error: 3:22 the parameter 'p' cannot depend on a value that changes during a run
