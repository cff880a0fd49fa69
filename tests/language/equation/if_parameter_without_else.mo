model M
  parameter Boolean on = false;
  Real x = 1;
equation
  if on then
    x = 2;
  end if;
end M;
// expect flat:
// model M
//   parameter Boolean on = false;
//   Real x;
// equation
//   x = 1.0;
// end M;
