model M
  Real x(start = 1);
  Real y;
equation
  if x > 0 then
    der(x) = -1;
    y = x;
  elseif time > 3 then
    x = -5;
    y = 0;
  else
    der(x) = 1;
    y = 2*x;
  end if;
end M;
// expect flat:
// model M
//   Real x(start = 1.0);
//   Real y;
// equation
//   if x > 0.0 then
//     der(x) = -1.0;
//     y = x;
//   elseif time > 3.0 then
//     x = -5.0;
//     y = 0.0;
//   else
//     der(x) = 1.0;
//     y = 2.0*x;
//   end if;
// end M;
