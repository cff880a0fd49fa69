model M
  Real x[5] = {1, 2, 3, 4, 5};
  Integer found;
algorithm
  found := 0;
  for i in 1:5 loop
    if x[i] > time then
      found := i;
      break;
    end if;
  end for;
end M;
// expect flat:
// model M
//   Real 'x[1]';
//   Real 'x[2]';
//   Real 'x[3]';
//   Real 'x[4]';
//   Real 'x[5]';
//   Integer found;
// equation
//   'x[1]' = 1.0;
//   'x[2]' = 2.0;
//   'x[3]' = 3.0;
//   'x[4]' = 4.0;
//   'x[5]' = 5.0;
// algorithm
//   found := 0;
//   for i in {1, 2, 3, 4, 5} loop
//     if ({'x[1]', 'x[2]', 'x[3]', 'x[4]', 'x[5]'})[i] > time then
//       found := i;
//       break;
//     end if;
//   end for;
// end M;
