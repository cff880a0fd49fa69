// What is joined gets as many dimensions as the part that has most, in whichever row (section
// 10.4.2).
model M
  Real a[1, 1, 2] = {{{1, 2}}} * time;
  Real x[2, 1, 2] = [a; 2 * a];
  Real y[2, 1, 1] = [{{{time}}}; {3}];
  Real z[1, 2, 1] = [4, {{{time}}}];
end M;
// expect flat:
// model M
//   Real 'a[1,1,1]';
//   Real 'a[1,1,2]';
//   Real 'x[1,1,1]';
//   Real 'x[1,1,2]';
//   Real 'x[2,1,1]';
//   Real 'x[2,1,2]';
//   Real 'y[1,1,1]';
//   Real 'y[2,1,1]';
//   Real 'z[1,1,1]';
//   Real 'z[1,2,1]';
// equation
//   'a[1,1,1]' = 1.0*time;
//   'a[1,1,2]' = 2.0*time;
//   'x[1,1,1]' = 'a[1,1,1]';
//   'x[1,1,2]' = 'a[1,1,2]';
//   'x[2,1,1]' = 2.0*'a[1,1,1]';
//   'x[2,1,2]' = 2.0*'a[1,1,2]';
//   'y[1,1,1]' = time;
//   'y[2,1,1]' = 3.0;
//   'z[1,1,1]' = 4.0;
//   'z[1,2,1]' = time;
// end M;
