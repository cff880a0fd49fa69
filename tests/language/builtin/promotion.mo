model M
  Real a[2, 1] = promote({1, 2}, 2);
  Real b[1, 1, 1] = promote(time, 3);
end M;
// expect flat:
// model M
//   Real 'a[1,1]';
//   Real 'a[2,1]';
//   Real 'b[1,1,1]';
// equation
//   'a[1,1]' = 1.0;
//   'a[2,1]' = 2.0;
//   'b[1,1,1]' = time;
// end M;
