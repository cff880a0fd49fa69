model M
  Real x;
equation
  x' = -x;
end M;
// expect error: 4:4 this quoted identifier has no end: a single quote is missing
// expect note: 4:4 the derivative of x by time is der(x)
