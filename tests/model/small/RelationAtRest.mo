model DeadZone
  function deadzone input Real u; output Real y;
  algorithm y := if u > 0.1 then u - 0.1 elseif u < -0.1 then u + 0.1 else 0; end deadzone;
  Real u(start=0.5, fixed=true), v(start=0, fixed=true), y = deadzone(u);
equation
  der(u) = -1;
  der(v) = if y < 0 then -1 elseif y > 0 then 1 else 0;
end DeadZone;
