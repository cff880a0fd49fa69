model M
  Real x[5];
equation
  for i in {1, 3, 5} loop
    x[i] = 1;
  end for;
  for i in 2:2:4 loop
    x[i] = 2;
  end for;
end M;
// expect flat:
// model M
//   Real 'x[1]';
//   Real 'x[2]';
//   Real 'x[3]';
//   Real 'x[4]';
//   Real 'x[5]';
// equation
//   'x[1]' = 1.0;
//   'x[3]' = 1.0;
//   'x[5]' = 1.0;
//   'x[2]' = 2.0;
//   'x[4]' = 2.0;
// end M;
