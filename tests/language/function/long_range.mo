// The values of a range are counted, not made: it may be far longer than an array.
function f
  input Real x;
  output Real y = 0;
algorithm
  for i in 1:1000000000000 loop
    y := y + x;
    if i > 9 then
      break;
    end if;
  end for;
  for i in 3:1 loop
    y := 0;
  end for;
  for i in 7:-3:1 loop
    y := y + i;
  end for;
end f;
model M
  constant Real c = f(2);
  Real x = c;
end M;
// expect flat:
// model M
//   constant Real c = 32.0;
//   Real x;
// equation
//   x = 32.0;
// end M;
