type E = enumeration(a, b, c);
model M
  Real x[E];
equation
  for i in E loop
    x[i] = Integer(i)*time;
  end for;
end M;
// expect flat:
// model M
//   Real 'x[1]';
//   Real 'x[2]';
//   Real 'x[3]';
// equation
//   'x[1]' = 1.0*time;
//   'x[2]' = 2.0*time;
//   'x[3]' = 3.0*time;
// end M;
