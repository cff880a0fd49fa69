// Section 11.2.2.1: the iterator has the type that counts the dimension.
type E = enumeration(a, b);
model M
  Real x[E];
  Boolean y[Boolean];
equation
  for i loop
    x[i] = if i == E.a then 3 else 4;
  end for;
  for i loop
    y[i] = not i;
  end for;
end M;
// expect flat:
// model M
//   Real 'x[1]';
//   Real 'x[2]';
//   Boolean 'y[1]';
//   Boolean 'y[2]';
// equation
//   'x[1]' = 3.0;
//   'x[2]' = 4.0;
//   'y[1]' = true;
//   'y[2]' = false;
// end M;
