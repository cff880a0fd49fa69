model M
  parameter Boolean b = 3;
end M;
// expect error: 2:25 the binding of 'b' must be Boolean, but this is Integer
