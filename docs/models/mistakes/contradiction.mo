model Contradiction "A switch that opens itself"
  Real u, i;
  Boolean closed;
equation
  u = 10 - 2 * i;
  if closed then
    u = 0;
  else
    i = 0;
  end if;
  closed = u > 5;
end Contradiction;
