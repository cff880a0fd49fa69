// A conditional component may be used in connections only (section 4.4.5).
model M
  parameter Boolean on = true;
  Real a = time if on;
  Real b = 2*a;
end M;
// expect error: 5:14 'a' is conditional: such a component can be used in connections only
