model Relay
  Real u, y;
equation
  u = sin(time) - 0.4 * y;
  y = if u > 0 then 1 else -1;
end Relay;
