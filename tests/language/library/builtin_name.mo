model M
  promote p;
  Real x = sin(time);
  Real y[2, 1] = promote({1, time}, 2);
end M;
// path: path
// expect flat:
// model M
//   Real 'p.z';
//   Real x;
//   Real 'y[1,1]';
//   Real 'y[2,1]';
// equation
//   'p.z' = 1.0;
//   x = sin(time);
//   'y[1,1]' = 1.0;
//   'y[2,1]' = time;
// end M;
