model M
  parameter Boolean useA = true;
  parameter Real a = if useA then b else 1;
  parameter Real b = if useA then a else 2;
end M;
// expect error: 3:35 parameter 'a' depends on itself
// expect note: 4:35 by way of 'b'
