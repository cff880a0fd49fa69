model A
  constant Real c = 1;
  Real x = c;
end A;
model M
  A a(c = 2);
end M;
// expect flat:
// model M
//   constant Real 'a.c' = 2.0;
//   Real 'a.x';
// equation
//   'a.x' = 2.0;
// end M;
