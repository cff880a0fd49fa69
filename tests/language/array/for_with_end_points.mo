model M
  parameter Integer n = 2;
  parameter Boolean b = true;
  Real x[n];
equation
  for k in 1:n loop
    der(x[k]) = (if k < n then x[k + 1] else 0) + (if k == 1 or false then 5 else x[k - 1])
      + (if b then 1 else 2);
  end for;
end M;
// expect flat:
// model M
//   parameter Integer n = 2;
//   parameter Boolean b = true;
//   Real 'x[1]';
//   Real 'x[2]';
// equation
//   der('x[1]') = 'x[2]' + 5.0 + (if b then 1.0 else 2.0);
//   der('x[2]') = 0.0 + 'x[1]' + (if b then 1.0 else 2.0);
// end M;
