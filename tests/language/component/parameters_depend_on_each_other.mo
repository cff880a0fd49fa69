model M
  parameter Real a = b;
  parameter Real b = a;
  Real x[integer(a)];
end M;
// expect error: 4:10 an array size must be known before the run: 'a' depends on itself
// expect note: 3:22 here
