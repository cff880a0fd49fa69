model M
  parameter Boolean steady = true;
  Real x(start = 1);
initial equation
  if steady then
    der(x) = 0;
  else
    x = 1;
  end if;
equation
  der(x) = 1 - x;
end M;
// expect flat:
// model M
//   parameter Boolean steady = true;
//   Real x(start = 1.0);
// initial equation
//   der(x) = 0.0;
// equation
//   der(x) = 1.0 - x;
// end M;
