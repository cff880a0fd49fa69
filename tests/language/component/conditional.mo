model A
  Real x = 1;
end A;
model M
  parameter Boolean use_a = true;
  parameter Integer n = 2;
  A a if use_a;
  A b if not use_a;
  A c[n] if n > 1;
end M;
// expect flat:
// model M
//   parameter Boolean use_a = true;
//   parameter Integer n = 2;
//   Real 'a.x';
//   Real 'c[1].x';
//   Real 'c[2].x';
// equation
//   'a.x' = 1.0;
//   'c[1].x' = 1.0;
//   'c[2].x' = 1.0;
// end M;
