package Surfaces "sliding, delay, sampled, logic"
  model TwoSurf "two relays, slide one after another, then leave"
    Real x(start = 1, fixed = true), y(start = -1, fixed = true);
    Real a = if x > 0 then -1 else 1, b = if y > 0 then -1 else 1;
  equation
    der(x) = a + 0.5*b + 0.2*sin(time);
    der(y) = 0.8*b - 0.1*a + (if time > 4 then 1.5 else 0);
  end TwoSurf;
  model Quota "harvest with a floor: catch stops below 0.4"
    Real f(start = 1, fixed = true), c(start = 0, fixed = true), h;
  equation
    h = if f > 0.4 then 0.5 else 0;
    der(f) = f*(1 - f) - h;
    der(c) = h;
  end Quota;
  model NonLinSlide "Filippov in the equation: convex combination of fields"
    Real x(start = 0.5, fixed = true), y(start = 0, fixed = true);
  equation
    der(x) = if x > 0 then -2 else 1;
    der(y) = if x > 0 then 3 else 0;
  end NonLinSlide;
  model Delay "bang-bang with dead time"
    parameter Real tau = 0.2;
    Real x(start = 0, fixed = true);
    Boolean u(start = true, fixed = true);
    Real d = delay(x, tau);
  equation
    u = if pre(u) then d < 1 else d < 0.5;
    der(x) = -x + (if u then 2 else 0);
  end Delay;
  model DelayLin "linear with delay, method of steps"
    Real x(start = 1, fixed = true);
  equation
    der(x) = -delay(x, 1);
  end DelayLin;
  model Pipe "plug flow with reversal"
    Real in0, out0, out1, s(start = 0, fixed = true), v;
  equation
    v = if time < 3 then 0.5 else -0.5;
    der(s) = v;
    in0 = sin(time);
    (out0, out1) = spatialDistribution(in0, 0, s, v >= 0, {0, 1}, {0, 0});
  end Pipe;
  model SampledPI "PI with anti-windup, sampled, saturated actuator"
    parameter Real Ts = 0.1, K = 2, Ti = 0.5;
    Real y(start = 0, fixed = true), r = if time < 3 then 2 else 0.5;
    discrete Real u(start = 0, fixed = true), I(start = 0, fixed = true), e(start = 0, fixed = true);
  equation
    der(y) = -y + u;
    when sample(0, Ts) then
      e = r - y;
      u = min(max(K*e + pre(I), -1), 2.5);
      I = pre(I) + K*Ts/Ti*e + (u - (K*e + pre(I)));
    end when;
  end SampledPI;
  model SampledAlg "the same in an algorithm with local temp"
    parameter Real Ts = 0.1, K = 2, Ti = 0.5;
    Real y(start = 0, fixed = true), r = if time < 3 then 2 else 0.5;
    discrete Real u(start = 0, fixed = true), I(start = 0, fixed = true), e(start = 0, fixed = true), w(start = 0, fixed = true);
  equation
    der(y) = -y + u;
  algorithm
    when sample(0, Ts) then
      e := r - y;
      w := K*e + I;
      u := w;
      if u > 2.5 then u := 2.5; elseif u < -1 then u := -1; end if;
      I := I + K*Ts/Ti*e + (u - w);
    end when;
  end SampledAlg;
  model Clocked
    parameter Real K = 2;
    Real y(start = 0, fixed = true), r = if time < 3 then 2 else 0.5;
    Real yd, rd, e, u, I(start = 0), w;
  equation
    der(y) = -y + hold(u);
    yd = sample(y, Clock(1, 10));
    rd = sample(r);
    e = rd - yd;
    w = K*e + previous(I);
    u = min(max(w, -1), 2.5);
    I = previous(I) + 0.4*e + u - w;
  end Clocked;
  model Edge "counts edges, changes and order of when"
    Boolean b = sin(10*time) > 0, c = cos(10*time) > 0;
    Integer q(start = 0, fixed = true), up(start = 0, fixed = true), both(start = 0, fixed = true), ch(start = 0, fixed = true);
  equation
    when edge(b) then up = pre(up) + 1; end when;
    when change(b) or change(c) then ch = pre(ch) + 1; end when;
    when {b, not b, c, not c} then
      q = if pre(b) == pre(c) then pre(q) + 1 else pre(q) - 1;
    end when;
    when b and c then both = pre(both) + 1; elsewhen not b and not c then both = pre(both) + 100; end when;
  end Edge;
  model Shifter "Boolean shift register with feedback (LFSR)"
    Boolean s[5](start = {true, false, false, true, false}, each fixed = true);
    Integer n(start = 0, fixed = true);
  equation
    when sample(0.1, 0.1) then
      s[1] = pre(s[3]) <> pre(s[5]);
      s[2:5] = pre(s[1:4]);
      n = sum(if s[i] then integer(2^(i - 1)) else 0 for i in 1:5);
    end when;
  end Shifter;
  model Lotka "interventions: spraying halves the pest whenever it exceeds 2, at most 3 times, then a terminal one"
    Real x(start = 1, fixed = true), y(start = 0.5, fixed = true);
    Integer k(start = 0, fixed = true);
  equation
    der(x) = x*(1 - 0.5*y);
    der(y) = y*(x - 1);
    when x > 2 and pre(k) < 3 then
      reinit(x, 0.5*pre(x)); reinit(y, 0.8*pre(y)); k = pre(k) + 1;
    end when;
  end Lotka;
  model ParEq "parameters found at the start: R such that the time constant start slope is given"
    parameter Real R(fixed = false, start = 1);
    parameter Real k(fixed = false);
    parameter Real c = 3;
    Real u(start = 2, fixed = true), w;
  initial equation
    der(u) = -5;
    k = R^2 + c;
  equation
    R*der(u) = -u;
    w = k*u;
  end ParEq;
  model Homotopy "three roots, homotopy leads to the one wanted"
    Real x(start = -3);
    Real y(fixed = true, start = 0);
  equation
    homotopy(x^3 - 3*x - 1 , x - 2) = 0;
    der(y) = x;
  end Homotopy;
  model Sat "nested hysteresis and algorithm with if"
    Real u = 2*sin(time), y;
    Boolean h(start = false, fixed = true);
    Integer lev(start = 0, fixed = true);
  equation
    h = u > 1 or pre(h) and u > -1;
  algorithm
    lev := 0;
    for i in 1:3 loop
      if u > i*0.5 then lev := lev + 1; end if;
    end for;
    y := lev + (if h then 10 else 0);
  end Sat;
end Surfaces;
