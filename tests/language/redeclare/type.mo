model A
  replaceable type T = Real(unit = "m");
  T x = 1;
end A;
model M
  A a;
  A b(redeclare type T = Real(unit = "s"));
end M;
// expect flat:
// model M
//   Real 'a.x'(unit = "m");
//   Real 'b.x'(unit = "s");
// equation
//   'a.x' = 1.0;
//   'b.x' = 1.0;
// end M;
