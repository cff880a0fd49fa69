model
  Real x;
end;
// expect error: 1:6 missing name of the class
