function range
  input Integer n;
  output Real v[n];
algorithm
  for i in 1:n loop
    v[i] := i;
  end for;
end range;
model M
  parameter Integer n = 2;
  Real x[n] = range(n)*time;
  Real y[:] = range(3);
end M;
// expect flat:
// model M
//   parameter Integer n = 2;
//   Real 'x[1]';
//   Real 'x[2]';
//   Real 'y[1]';
//   Real 'y[2]';
//   Real 'y[3]';
// equation
//   'x[1]' = 1.0*time;
//   'x[2]' = 2.0*time;
//   'y[1]' = 1.0;
//   'y[2]' = 2.0;
//   'y[3]' = 3.0;
// end M;
