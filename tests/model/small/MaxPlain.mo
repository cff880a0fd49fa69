model M
  Real u(start=0.63, fixed=true), v(start=0, fixed=true), y = max(0, u);
equation
  der(u) = -1;
  der(v) = if y < 0 then 1 else 0;
end M;
