package Contacts "mechanics"
  model Coulomb2 "clutch between two inertias, sinus torque: sticks and slips"
    parameter Real J1 = 1, J2 = 2, M = 1.5;
    Real w1(start = 4, fixed = true), w2(start = 0, fixed = true), tau;
  equation
    J1*der(w1) = 3*sin(2*time) - tau;
    J2*der(w2) = tau - 0.5*w2;
    tau = M*sign(w1 - w2);
  end Coulomb2;
  model BrakeSlope "car on a slope: brake stops it and holds; then released"
    parameter Real m = 1000, g = 9.81, th = 0.1;
    Real x(start = 0, fixed = true), v(start = 10, fixed = true), F, cap;
  equation
    cap = if time < 2 then 0 elseif time < 6 then 4000 else 500;
    der(x) = v;
    m*der(v) = m*g*sin(th) - F;
    F = cap*(if v > 0 then 1 elseif v < 0 then -1 else 0);
  end BrakeSlope;
  model Gap "two masses, gap 1, rigid contact, contact force only pushes"
    Real x1(start = 0, fixed = true), v1(start = 0, fixed = true), x2(start = 1, fixed = true), v2(start = 0, fixed = true), N;
    Boolean c(start = false, fixed = true);
    Real f = if time < 3 then 2 else -2;
  equation
    der(x1) = v1; der(x2) = v2;
    1*der(v1) = f - N;
    3*der(v2) = N - 0.3*v2;
    c = if pre(c) then N > 0 else x2 - x1 <= 0;
    if c then x1 = x2; else N = 0; end if;
  end Gap;
  model Stop "spring presses mass to a stop; force moves it away"
    Real x(start = 1, fixed = true), v(start = 0, fixed = true), N;
    Boolean c(start = false, fixed = true);
  equation
    der(x) = v;
    der(v) = -4*x - 2 + N + (if time > 3 then 3.5 + 0.5*(time - 3) else 0);
    c = if pre(c) then N >= 0 else x <= 0 and v < 0;
    if c then x = 0; else N = 0; end if;
  end Stop;
  model Rod "two masses on a rigid rod against a wall"
    parameter Real m1 = 1, m2 = 2, e = 0.5;
    Real x1(start = 0, fixed = true), v1(start = 3, fixed = true), x2, v2, F;
  equation
    der(x1) = v1; der(x2) = v2;
    m1*der(v1) = F; m2*der(v2) = -F;
    x2 = x1 + 1;
    when x2 > 4 then reinit(v2, -e*pre(v2)); end when;
  end Rod;
  model Lever "lever hits a stop: v is a derived speed, theta is the coordinate"
    Real th(start = 0.5, fixed = true), w(start = 0, fixed = true), y, vy;
  equation
    der(th) = w; 2*der(w) = -9.81*cos(th);
    y = sin(th); vy = der(y);
    when y < 0 then reinit(w, -0.8*pre(w)); end when;
  end Lever;
  model Wagons "three wagons couple one after another"
    parameter Integer n = 4;
    parameter Real m[n] = {1, 2, 3, 4};
    Real x[n](start = {0, 1, 3, 6}, each fixed = true), v[n](start = {5, 0, 0, 0}, each fixed = true), F[n - 1];
    Boolean c[n - 1](each start = false, each fixed = true);
  equation
    for i in 1:n loop
      der(x[i]) = v[i];
      m[i]*der(v[i]) = (if i > 1 then F[i - 1] else 0) - (if i < n then F[i] else 0);
    end for;
    for i in 1:n - 1 loop
      c[i] = pre(c[i]) or x[i] >= x[i + 1];
      if c[i] then v[i] = v[i + 1]; else F[i] = 0; end if;
    end for;
  end Wagons;
  model Bungee
    Real y(start = 0, fixed = true), v(start = 0, fixed = true);
  equation
    der(y) = v;
    70*der(v) = -70*9.81 + (if -y > 20 then 100*(-y - 20) else 0);
  end Bungee;
  model Slope "block slides up, stops and stays (mu > tan) or slides back"
    parameter Real mu = 0.3, a = 0.5;
    Real x(start = 0, fixed = true), v(start = 5, fixed = true);
  equation
    der(x) = v;
    der(v) = -9.81*(sin(a) + mu*cos(a)*sign(v));
  end Slope;
  model Stack "two blocks on a floor; force on the lower one"
    Real v1(start = 0, fixed = true), v2(start = 0, fixed = true), f1, f2;
    Real P = if time < 2 then 10*time else 0;
  equation
    f2 = 4*sign(v1 - v2) "between the blocks";
    f1 = 6*sign(v1) "floor";
    1*der(v1) = P - f1 - f2;
    2*der(v2) = f2;
  end Stack;
  model Billiard "slips, then rolls, then falls off a table of 1 m and bounces"
    parameter Real mu = 0.2, g = 9.81, r = 0.05, Lt = 3, e = 0.6;
    Real x(start = 0, fixed = true), y(start = 1, fixed = true), vx(start = 4, fixed = true), vy, w(start = 0, fixed = true), N, F;
    Boolean table(start = true, fixed = true);
    Real s = vx - r*w;
    Boolean roll(start = false, fixed = true);
  equation
    der(x) = vx; der(y) = vy;
    der(vx) = -F; der(vy) = N - g;
    0.4*r^2*der(w) = r*F;
    table = pre(table) and x < Lt;
    when s <= 0 then roll = true; end when;
    if table then y = 1; else N = 0; end if;
    if not table then F = 0; elseif roll then vx = r*w; else F = mu*N; end if;
    when y <= 0 then reinit(vy, -e*pre(vy)); end when;
  end Billiard;
  model Rocking "Housner's block"
    parameter Real p = 2, al = 0.2, r = 0.8;
    Real th(start = 0.15, fixed = true), w(start = 0, fixed = true);
    Integer n(start = 0, fixed = true);
  equation
    der(th) = w;
    der(w) = -p^2*sin(al*(if th > 0 then 1 else -1) - th);
    when {th < 0, th > 0} then
      reinit(w, r*pre(w)); n = pre(n) + 1;
    end when;
  end Rocking;
  model BreakingRod "two masses on a rod in the plane; the rod breaks at a tension"
    Real x1(start = 0, fixed = true), y1(start = 0, fixed = true), x2(start = 1), y2(start = 0, fixed = true);
    Real u1(start = 0, fixed = true), w1(start = 0, fixed = true), u2, w2(start = 2, fixed = true), T;
    Boolean broken(start = false, fixed = true);
  equation
    der(x1) = u1; der(y1) = w1; der(x2) = u2; der(y2) = w2;
    1*der(u1) = T*(x2 - x1); 1*der(w1) = T*(y2 - y1);
    1*der(u2) = -T*(x2 - x1); 1*der(w2) = -T*(y2 - y1);
    when time > 1 then broken = true; end when;
    if broken then T = 0; else (x2 - x1)^2 + (y2 - y1)^2 = 1; end if;
  end BreakingRod;
end Contacts;
