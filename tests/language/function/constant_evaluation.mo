package P
  function fill_table
    input Integer n;
    output Real t[n];
  algorithm
    for i in 1:n loop
      t[i] := i^2;
    end for;
  end fill_table;
  constant Real table[4] = fill_table(4);
end P;
model M
  Real x = P.table[3];
  parameter Real t[:] = P.fill_table(3);
  Real y = sum(t);
end M;
// expect flat:
// model M
//   Real x;
//   parameter Real 't[1]' = 1.0;
//   parameter Real 't[2]' = 4.0;
//   parameter Real 't[3]' = 9.0;
//   Real y;
// equation
//   x = 9.0;
//   y = 't[1]' + 't[2]' + 't[3]';
// end M;
