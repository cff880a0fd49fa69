// But not sizes other than those it has.

model A
  Real y[2];
end A;

model M
  A b(redeclare Real y[3]);
end M;

// expect error: 8:22 'y' cannot be redeclared: it is not declared 'replaceable'
