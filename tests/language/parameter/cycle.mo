model M
  parameter Real a = b;
  parameter Real b = 2*a;
  Real x = a;
end M;
// expect error: 2:22 parameter 'a' depends on itself
// expect note: 3:22 by way of 'b'
