model Exclusive "Two switches, each of which turns the other one off"
  Real u = if time < 1 then -1 else 1;
  Real a, b "what they let through";
  Real s, r "positive: on";
equation
  a = if s > 0 then s else 0;
  b = if r > 0 then r else 0;
  s = u - 2*b;
  r = u - 2*a;
end Exclusive;
