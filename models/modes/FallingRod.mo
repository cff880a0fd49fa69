model FallingRod "A rod falls on the floor with its tips: each impact is a mode that lasts no time"
  parameter Real m = 1 "kg";
  parameter Real l = 0.5 "half of its length, m";
  parameter Real J = m*l^2/3 "kg.m2";
  parameter Real e = 0.5 "restitution of the speed at a tip";
  parameter Real g = 9.81;
  Real y(start = 1, fixed = true) "height of the centre, m";
  Real phi(start = 0.5, fixed = true) "angle, rad";
  Real v(start = 0, fixed = true), w(start = 0, fixed = true);
  Real h[2] = {y - l*sin(phi), y + l*sin(phi)} "heights of the tips";
  Real s[2] = {v - l*cos(phi)*w, v + l*cos(phi)*w} "their speeds";
  Real F[2] "forces of the floor, impulses at impacts";
  Boolean impact[2](each start = false, each fixed = true);
  discrete Real s0[2](each start = 0, each fixed = true) "speeds before the impact";
equation
  der(y) = v;
  der(phi) = w;
  m*der(v) = F[1] + F[2] - m*g;
  J*der(w) = l*cos(phi)*(F[2] - F[1]);
  for i in 1:2 loop
    if impact[i] then
      s[i] = -e*s0[i];
    else
      F[i] = 0;
    end if;
    when h[i] <= 0 then
      impact[i] = true;
      s0[i] = pre(s[i]);
    elsewhen pre(impact[i]) then
      impact[i] = false;
      s0[i] = 0;
    end when;
  end for;
  annotation(experiment(StopTime = 0.6));
end FallingRod;
