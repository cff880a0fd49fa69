model M
  Boolean b(unit = "m") = true;
end M;
// expect error: 2:13 type 'Boolean' has no attribute 'unit'
