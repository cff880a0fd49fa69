model M
  parameter Boolean on(fixed = false);
  Real x;
initial equation
  on = true;
equation
  if on then
    x = 1;
  else
    x = 2;
  end if;
end M;
// expect flat:
// model M
//   parameter Boolean on(fixed = false);
//   Real x;
// initial equation
//   on = true;
// equation
//   if on then
//     x = 1.0;
//   else
//     x = 2.0;
//   end if;
// end M;
