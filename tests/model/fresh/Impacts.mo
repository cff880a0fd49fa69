package Impacts "nastier"
  model ImpulseChain "ball hits one end of a row of touching masses on rods: reinit on constrained velocity in the middle"
    Real x1(start = 0, fixed = true), x2, x3, v1(start = 2, fixed = true), v2, v3, F12, F23;
  equation
    der(x1) = v1; der(x2) = v2; der(x3) = v3;
    1*der(v1) = -F12; 2*der(v2) = F12 - F23; 3*der(v3) = F23;
    x2 = x1 + 1; x3 + 0.5*x2 = 4 "lever: opposite";
    when x2 >= 2 then reinit(v2, -pre(v2)); end when;
  end ImpulseChain;
  model PendulumWall "pendulum in Cartesian coordinates hits a wall x = 0.3; restitution on vx"
    parameter Real e = 0.7;
    Real x(start = -0.6), y(start = -0.8), vx(start = 0), vy(start = 0), l;
    Integer n(start = 0, fixed = true);
  initial equation
    x = -0.6; vx = 0;
  equation
    der(x) = vx; der(y) = vy;
    der(vx) = -l*x; der(vy) = -l*y - 9.81;
    x^2 + y^2 = 1;
    when x >= 0.3 then reinit(vx, -e*pre(vx)); n = pre(n) + 1; end when;
  end PendulumWall;
  model CablePair "mass on two cables, one left one right, each may be slack"
    Real x(start = 0.3, fixed = true), y(start = -0.5, fixed = true), vx(start = 0, fixed = true), vy(start = 0, fixed = true), T1, T2;
    Real d1 = sqrt((x + 1)^2 + y^2), d2 = sqrt((x - 1)^2 + y^2);
    Boolean t1(start = false, fixed = true), t2(start = false, fixed = true);
  equation
    der(x) = vx; der(y) = vy;
    der(vx) = -T1*(x + 1) - T2*(x - 1);
    der(vy) = -T1*y - T2*y - 9.81;
    t1 = if pre(t1) then T1 > 0 else d1 >= 1.5;
    t2 = if pre(t2) then T2 > 0 else d2 >= 1.5;
    if t1 then d1 = 1.5; else T1 = 0; end if;
    if t2 then d2 = 1.5; else T2 = 0; end if;
  end CablePair;
  model ThreeRelays "three sliding surfaces, one after another; quota x1 + x2 <= 1"
    Real x[3](start = {1, 2, 3}, each fixed = true);
    Real u[3] = {if x[i] > 0 then -1 else 1 for i in 1:3};
  equation
    der(x[1]) = u[1] + 0.3*u[2];
    der(x[2]) = u[2] + 0.3*u[3];
    der(x[3]) = u[3] + 0.3*u[1];
  end ThreeRelays;
  model SlideLeave "sliding x = 0 until the drift exceeds the relay, leaves, comes back"
    Real x(start = 0.5, fixed = true), q(start = 0, fixed = true);
    Real u = if x > 0 then -1 else 1;
  equation
    der(x) = u + 1.5*sin(time);
    der(q) = u;
  end SlideLeave;
  function clampSum "records, arrays, while"
    input Real v[:]; input Real lo; input Real hi;
    output Real s; output Integer n;
  protected
    Integer i = 1;
  algorithm
    s := 0; n := 0;
    while i <= size(v, 1) loop
      if v[i] < lo then s := s + lo; n := n + 1; elseif v[i] > hi then s := s + hi; n := n + 1; else s := s + v[i]; end if;
      i := i + 1;
    end while;
  end clampSum;
  model Func
    Real x[3](start = {0, 0, 0}, each fixed = true), s;
    discrete Integer n;
    Real z;
    discrete Real sn;
  equation
    der(x) = {1, 2, -3};
    (s, ) = clampSum(x, -1, 1);
    der(z) = s;
    when sample(0, 0.25) then (sn, n) = clampSum(x, -1, 1); end when;
  initial equation
    z = 0;
  end Func;
  record Gains Real k; Real T = 1; end Gains;
  model Rec
    parameter Gains g[2] = {Gains(2), Gains(k = 3, T = 0.5)};
    Real x[2](each start = 0, each fixed = true);
    Boolean hi[2](each start = false, each fixed = true);
  equation
    for i in 1:2 loop
      g[i].T*der(x[i]) = g[i].k*(if hi[i] then 0 else 1) - x[i];
      hi[i] = if pre(hi[i]) then x[i] > 0.5*i else x[i] > 1*i;
    end for;
  end Rec;
  model Thermal "two rooms and a wall, thermostat with hysteresis each, one furnace: priority logic"
    Real T[2](start = {18, 15}, each fixed = true), W(start = 15, fixed = true);
    Boolean call[2](each start = false, each fixed = true);
    Boolean f1, f2;
  equation
    for i in 1:2 loop call[i] = if pre(call[i]) then T[i] < 21 else T[i] < 19; end for;
    f1 = call[1]; f2 = call[2] and not call[1];
    der(T[1]) = (W - T[1]) + 0.2*(5 - T[1]) + (if f1 then 12 else 0);
    der(T[2]) = (W - T[2]) + 0.3*(5 - T[2]) + (if f2 then 12 else 0);
    4*der(W) = T[1] + T[2] - 2*W;
  end Thermal;
  model SIR "lockdown with hysteresis, vaccination at a day, stops at extinction"
    Real s(start = 0.99, fixed = true), i(start = 0.01, fixed = true);
    Boolean lock(start = false, fixed = true);
  equation
    lock = i > 0.05 or pre(lock) and i > 0.01;
    der(s) = -(if lock then 0.12 else 0.4)*s*i;
    der(i) = (if lock then 0.12 else 0.4)*s*i - 0.15*i;
    when time >= 60 then reinit(s, 0.5*pre(s)); end when;
  end SIR;
  model PWM "motor with H bridge by PWM from a continuous controller, carrier by mod"
    Real i(start = 0, fixed = true), w(start = 0, fixed = true), d, carrier;
    Boolean p;
  equation
    d = min(0.9, max(-0.9, 0.05*(30 - w)));
    carrier = 4*abs(mod(time*100, 1) - 0.5) - 1;
    p = d > carrier;
    0.02*der(i) = (if p then 24 else -24) - 1*i - 0.5*w;
    0.05*der(w) = 0.5*i - 0.02*w;
  end PWM;
  model Ratchet "one-way clutch: load can turn only forward; blocked when driven back"
    Real w1(start = 0, fixed = true), w2(start = 0, fixed = true), tau;
    Boolean lock(start = true, fixed = true);
  equation
    1*der(w1) = 5*sin(3*time) - tau - 0.2*w1;
    2*der(w2) = tau - 0.4*w2;
    lock = if pre(lock) then tau > 0 else w1 - w2 > 0;
    if lock then w1 = w2; else tau = 0; end if;
  end Ratchet;
  model RatchetC "complementarity by s"
    Real w1(start = 0, fixed = true), w2(start = 0, fixed = true), tau, s;
    Boolean lock = s > 0;
  equation
    1*der(w1) = 5*sin(3*time) - tau - 0.2*w1;
    2*der(w2) = tau - 0.4*w2;
    tau = if lock then s else 0;
    w1 - w2 = if lock then 0 else s;
  end RatchetC;
end Impacts;
