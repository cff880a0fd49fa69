model Ladder "n cells of diode, resistor and capacitor: each combination of diodes is a mode"
  parameter Integer n = 10;
  Real u[n](each start = 0, each fixed = true) "of the capacitors";
  Real d[n], i[n + 1] "of the diodes";
  Boolean on[n](each start = false, each fixed = true);
equation
  i[n + 1] = 0;
  for k in 1:n loop
    (if k == 1 then 10 * sin(6.283185307179586 * time) else u[max(k - 1, 1)]) - u[k] = d[k] + i[k];
    0.02 * der(u[k]) = i[k] - i[k + 1] - u[k] / 50;
    on[k] = if pre(on[k]) then i[k] > 0 else d[k] > 0;
    if on[k] then
      d[k] = 0;
    else
      i[k] = 0;
    end if;
  end for;
end Ladder;
