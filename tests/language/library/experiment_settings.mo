model M
  Real x = time;
  annotation(experiment(StopTme = 10, StopTime = "2", Tolerance = 0, __Tool_x = 1));
end M;
// expect warning: 3:25 'experiment' has no setting 'StopTme'; did you mean 'StopTime'?
// expect error: 3:50 'StopTime' must be a number
// expect error: 3:67 'Tolerance' must be above zero
