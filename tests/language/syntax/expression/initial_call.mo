model A
equation
  when initial() then x = 1; end when;
  y = if initial() then 1 else 2;
initial equation
  z = 1;
equation
initial algorithm
  z := 1;
end A;
