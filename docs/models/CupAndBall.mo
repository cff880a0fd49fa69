model CupAndBall "A ball on a rope that is taut or loose"
  Real x(start = 0.6, fixed = true), y(start = 0.2, fixed = true);
  Real vx(start = 1, fixed = true), vy(start = 0, fixed = true);
  Real tension;
  Boolean taut(start = false, fixed = true);
equation
  der(x) = vx;
  der(y) = vy;
  der(vx) = -tension * x;
  der(vy) = -tension * y - 9.81;
  taut = if pre(taut) then tension > 0 else x ^ 2 + y ^ 2 >= 1;
  if taut then
    x ^ 2 + y ^ 2 = 1;  // a constraint: index 3, two states
  else
    tension = 0;        // free fall: four states
  end if;
  annotation(experiment(StopTime = 4));
end CupAndBall;
