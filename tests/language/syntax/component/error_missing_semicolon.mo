model A
  Real x
  Real y;
  parameter Real z = 1
equation
  x = 1
end A;
// expect error: 2:9 missing ';' behind the declaration
// expect error: 4:23 missing ';' behind the declaration
// expect error: 6:8 missing ';' behind the equation
