model I
  parameter Real k = 1;
  Real v = k;
end I;

model A
  outer I i(k = 3);
  Real y = i.v;
end A;

model M
  inner I i;
  A a;
  A b(i(k = 4));
end M;
// expect error: 7:12 'i' is outer and cannot be modified: the inner component is what counts
// expect error: 14:7 'i' is outer and cannot be modified: the inner component is what counts
