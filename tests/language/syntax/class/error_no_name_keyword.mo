model
  parameter Real x;
end A;
model B
end B;
// expect error: 1:6 missing name of the class
