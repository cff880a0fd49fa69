// A component that is not replaceable may get sizes where it has none, with the type that it has
// (section 7.3.3).

model A
  Real x[:, :] = ones(size(x, 1), size(x, 2));
end A;

model M
  A a(redeclare Real x[1, 2]);
end M;

// expect flat:
// model M
//   Real 'a.x[1,1]';
//   Real 'a.x[1,2]';
// equation
//   'a.x[1,1]' = 1.0;
//   'a.x[1,2]' = 1.0;
// end M;
