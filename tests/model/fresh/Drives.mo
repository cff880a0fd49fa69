package Drives "third round"
  model Crane "load on a cable from a moving trolley, cable slack or taut, trolley has end stops"
    Real xt(start = 0, fixed = true), vt(start = 0, fixed = true), x(start = 0, fixed = true), y(start = -1, fixed = true), vx(start = 0, fixed = true), vy(start = 0, fixed = true), T, N;
    Boolean taut(start = false, fixed = true), stop(start = false, fixed = true);
    Real l2 = (x - xt)^2 + y^2;
  equation
    der(xt) = vt; der(x) = vx; der(y) = vy;
    4*der(vt) = 20 - N + T*(x - xt);
    der(vx) = -T*(x - xt);
    der(vy) = -T*y - 9.81;
    taut = if pre(taut) then T > 0 else l2 >= 4;
    if taut then l2 = 4; else T = 0; end if;
    stop = if pre(stop) then N > 0 else xt >= 3;
    if stop then xt = 3; else N = 0; end if;
  end Crane;
  model Fric3 "train of three blocks with Coulomb friction to the floor, rigid couplings with slack"
    parameter Integer n = 3;
    Real x[n](start = {0, -1, -2}, each fixed = true), v[n](each start = 0, each fixed = true), f[n], T[n - 1];
    Boolean c[n - 1](each start = false, each fixed = true);
    Real F = if time < 2 then 8 else 0;
  equation
    for i in 1:n loop
      der(x[i]) = v[i];
      1*der(v[i]) = (if i == 1 then F else T[i - 1]) - (if i < n then T[i] else 0) - f[i];
      f[i] = 1.5*sign(v[i]);
    end for;
    for i in 1:n - 1 loop
      c[i] = if pre(c[i]) then T[i] > 0 else x[i] - x[i + 1] >= 1.5;
      if c[i] then x[i] - x[i + 1] = 1.5; else T[i] = 0; end if;
    end for;
  end Fric3;
  model Elevator "sampled controller inside a machine, brake as constraint"
    model Run
      outer output Real v; outer Real z; outer Real target;
      discrete Real u(start = 0, fixed = true);
    equation
      der(v) = u - 0.5*v;
      when sample(0, 0.05) then u = max(-2, min(2, 4*(target - z) - 3*v)); end when;
    end Run;
    model Brake outer output Real v; equation v = 0; end Brake;
    inner Real v(start = 0, fixed = true), z(start = 0, fixed = true), target = if time < 5 then 3 else 1;
    Run run; Brake brake;
  equation
    der(z) = v;
    initialState(brake);
    transition(brake, run, abs(target - z) > 0.1);
    transition(run, brake, abs(target - z) < 0.01 and abs(v) < 0.05);
  end Elevator;
  model Cavity "piston with valve: check valve as complementarity between two volumes"
    Real p1(start = 3, fixed = true), p2(start = 1, fixed = true), q, s;
    Boolean open = s > 0;
    Real in1 = sin(2*time), out2 = 0.2*p2;
  equation
    1*der(p1) = in1 - q; 2*der(p2) = q - out2;
    p1 - p2 = if open then 0.5*s else s;
    q = if open then s else 0;
  end Cavity;
  model Ideal2 "the same, right sign"
    Real p1(start = 1, fixed = true), p2(start = 3, fixed = true), q, s;
    Boolean open = s > 0;
  equation
    1*der(p1) = 2*sin(2*time) + 0.5 - q; 2*der(p2) = q - 0.2*p2;
    p1 - p2 = if open then 0 else s;
    q = if open then s else 0;
  end Ideal2;
  model Latch "SR latch, D flip-flop and counter on one clock; event order"
    Boolean clk = sin(20*time) > 0, d = sin(3*time) > 0;
    Boolean q(start = false, fixed = true), q2(start = false, fixed = true);
    Integer n(start = 0, fixed = true), t(start = 0, fixed = true);
  equation
    when clk then q = d; q2 = pre(q); n = if q2 and not q then pre(n) + 1 else pre(n); end when;
    when change(q) then t = pre(t) + 1; end when;
  end Latch;
  model Bathtub "events at the start and the end of the run"
    Real h(start = 1, fixed = true);
    Integer a(start = 0, fixed = true), b(start = 0, fixed = true);
  equation
    der(h) = -1;
    when h <= 0 then a = 1; end when;
    when time >= 0 then b = 1; end when;
  end Bathtub;
  model Gears "clutch with friction torque law in three phases; engine stalls"
    parameter Real J = 0.2, m = 1.2;
    Real we(start = 100, fixed = true), wl(start = 0, fixed = true), tau, eng;
    Boolean stalled(start = false, fixed = true);
    Real cap = if time < 1 then 0 elseif time < 3 then 30*(time - 1) else 60;
  equation
    when we < 20 then stalled = true; end when;
    eng = if stalled then -2 else 25;
    J*der(we) = eng - tau;
    m*der(wl) = tau - 0.05*wl;
    tau = cap*sign(we - wl);
  end Gears;
end Drives;
