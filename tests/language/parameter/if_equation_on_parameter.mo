model M
  parameter Integer kind = 2;
  Real x;
equation
  if kind == 1 then
    x = 1;
  elseif kind == 2 then
    der(x) = -x;
  else
    x = 3;
  end if;
end M;
// expect flat:
// model M
//   parameter Integer kind = 2;
//   Real x;
// equation
//   der(x) = -x;
// end M;
