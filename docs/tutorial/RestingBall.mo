model RestingBall "It comes to rest, until something lifts it"
  parameter Real m(unit = "kg") = 0.1 "mass";
  parameter Real g(unit = "m/s2") = 9.81 "gravity";
  parameter Real e = 0.7 "coefficient of restitution";
  Real h(unit = "m", start = 1, fixed = true) "height";
  Real v(unit = "m/s", start = 3, fixed = true) "speed, upwards";
  Real N(unit = "N") "force of the floor";
  Real lift(unit = "N") = if time < 4 then 0 else 1.5*m*g*(time - 4) "pulls it up";
  Boolean slow(start = false, fixed = true) "too slow to bounce again";
  Boolean resting(start = false, fixed = true);
equation
  der(h) = v;
  m*der(v) = -m*g + N + lift;
  when h <= 0 then
    slow = pre(v) > -0.2;
    reinit(v, if slow then 0 else -e*pre(v));
  end when;
  resting = if pre(resting) then N > 0 else slow and h <= 0;
  if resting then
    h = 0;  // a constraint: nothing is left to move, and N is what keeps it
  else
    N = 0;  // free flight
  end if;
  annotation(experiment(StopTime = 5));
end RestingBall;
