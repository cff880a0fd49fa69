package Switching "circuits"
  model BoostT "switch node"
    parameter Real E = 12, L = 1e-4, C = 1e-4, R = 10, T = 5e-5, d = 0.4;
    Real i(start = 0, fixed = true), u(start = 0, fixed = true), vs, is, id, s;
    Boolean on(start = true, fixed = true);
    Boolean cond = s > 0;
  equation
    when sample(0, T) then on = true; elsewhen sample(d*T, T) then on = false; end when;
    L*der(i) = E - vs;
    C*der(u) = id - u/R;
    i = is + id;
    if on then vs = 0; else is = 0; end if;
    vs - u = if cond then 0 else s;
    id = if cond then s else 0;
  end BoostT;
  model Thyristor "half wave with RL load, fired at 60 degrees"
    parameter Real V = 100, w = 314.159265358979323846, R = 5, L = 0.02, alpha = 1.0471975511965976;
    Real i(start = 0, fixed = true), u, v;
    Boolean on(start = false, fixed = true);
    Boolean gate;
  equation
    u = V*sin(w*time);
    gate = mod(w*time, 6.283185307179586) > alpha and mod(w*time, 6.283185307179586) < alpha + 0.3;
    L*der(i) + R*i = u - v;
    on = if pre(on) then i > 0 or gate and v >= 0 else gate and v > 0;
    if on then v = 0; else i = 0; end if;
  end Thyristor;
  model Flyback "coupled coils, flux stays"
    parameter Real E = 24, L1 = 1e-3, n = 0.25 "N2/N1", C = 1e-3, R = 4, T = 1e-4;
    Real phi(start = 0, fixed = true) "flux times N1", i1, i2, v "voltage of primary", u(start = 0, fixed = true);
    Boolean on(start = true, fixed = true);
    Boolean cond(start = false, fixed = true);
  equation
    when sample(0, T) then on = true; elsewhen sample(0.5*T, T) then on = false; end when;
    der(phi) = v;
    phi = L1*(i1 + n*i2);
    C*der(u) = i2 - u/R;
    if on then v = E; else i1 = 0; end if;
    cond = if pre(cond) then i2 > 0 else -n*v > u;
    if cond then n*v = -u; else i2 = 0; end if;
  end Flyback;
  model ChargePump "switched capacitors: charge is shared"
    parameter Real E = 5, C1 = 1e-6, C2 = 3e-6;
    Real u1(start = 0, fixed = true), u2(start = 0, fixed = true), iE, i12;
    Boolean phase(start = false, fixed = true);
  equation
    when sample(0, 1) then phase = true; elsewhen sample(0.5, 1) then phase = false; end when;
    C1*der(u1) = iE - i12;
    C2*der(u2) = i12;
    if phase then u1 = E; i12 = 0; else iE = 0; u1 = u2; end if;
  end ChargePump;
  model Crowbar "C discharges through L by a thyristor: half a sine, then blocked with reversed voltage"
    parameter Real L = 1e-3, C = 1e-5;
    Real u(start = 100, fixed = true), i(start = 0, fixed = true), v;
    Boolean on(start = false, fixed = true);
  equation
    C*der(u) = -i;
    L*der(i) = u - v;
    when time >= 1e-3 then on = true; elsewhen i < 0 then on = false; end when;
    if on then v = 0; else i = 0; end if;
  end Crowbar;
  model Peak "ideal diode charges C directly from a source: index 2 while it conducts"
    parameter Real V = 10, w = 6.283185307179586, R = 2, C = 1;
    Real u(start = 0, fixed = true), i, e = V*sin(w*time), s;
    Boolean on = s > 0;
  equation
    C*der(u) = i - u/R;
    e - u = if on then 0 else s;
    i = if on then s else 0;
  end Peak;
  model Freewheel
    parameter Real E = 10, R = 1, L = 0.5;
    Real i(start = 0, fixed = true), v, id, s, isw;
    Boolean closed = time < 1 or time > 2 and time < 2.5;
    Boolean on = s > 0;
  equation
    L*der(i) + R*i = v;
    i = isw + id;
    if closed then v = E; else isw = 0; end if;
    -v = if on then 0 else s;
    id = if on then s else 0;
  end Freewheel;
end Switching;
