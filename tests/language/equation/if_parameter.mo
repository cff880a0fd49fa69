model M
  parameter Boolean linear = true;
  parameter Integer n = 2;
  Real x;
  Real y;
equation
  if linear then
    x = time;
  else
    x = time^2;
  end if;
  if n == 1 then
    y = 1;
  elseif n == 2 then
    y = 2;
  else
    y = 3;
  end if;
end M;
// expect flat:
// model M
//   parameter Boolean linear = true;
//   parameter Integer n = 2;
//   Real x;
//   Real y;
// equation
//   x = time;
//   y = 2.0;
// end M;
