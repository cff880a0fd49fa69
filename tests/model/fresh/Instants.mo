package Instants "nastier still"
  model Cascade "five Booleans fall one after another at one instant, then rise in reverse"
    Boolean b[5](each start = false, each fixed = true);
    Integer n(start = 0, fixed = true), rounds(start = 0, fixed = true);
  equation
    b[1] = time > 1 and time < 2;
    for i in 2:5 loop b[i] = pre(b[i - 1]); end for;
    when {b[i] for i in 1:5} then n = pre(n) + 1; end when;
    when change(n) then rounds = pre(rounds) + 1; end when;
  end Cascade;
  model When2 "reinit of x and y from each other at one instant: swap; a third depends on both"
    Real x(start = 1, fixed = true), y(start = 2, fixed = true), z = x + 10*y;
    discrete Real zb(start = 0, fixed = true), za(start = 0, fixed = true);
  equation
    der(x) = 0; der(y) = 0;
    when time > 0.5 then
      reinit(x, y); reinit(y, x); zb = z; za = pre(z);
    end when;
  end When2;
  model Init "when initial, terminal, start time not zero"
    Integer k(start = 0, fixed = true), t(start = 0, fixed = true), s(start = 0, fixed = true);
    Real x(start = 0, fixed = true);
  equation
    der(x) = 1;
    when {initial(), time > 2.5} then k = pre(k) + 1; end when;
    when terminal() then t = 7; end when;
    when sample(2, 0.25) then s = pre(s) + 1; end when;
  end Init;
  model Rounding "floor, ceil, mod, rem, div, integer, sign, abs of something that moves"
    Real x = 3*sin(time), f, c, m, r, d, a(start = 0, fixed = true);
    Integer i;
  equation
    f = floor(x); c = ceil(x); m = mod(x, 1.5); r = rem(x, 1.5); d = div(x, 1.5); i = integer(x);
    der(a) = f + 2*c + 3*m + 5*r + 7*d + 11*i + abs(x);
  end Rounding;
  model SemiLin "semiLinear and smooth"
    Real m(start = 1, fixed = true), q, e(start = 0, fixed = true);
  equation
    der(m) = -m + sin(3*time) - 0.2;
    q = semiLinear(m, 2, 5);
    der(e) = q;
  end SemiLin;
  model Coincide "samples that meet: 0.1 and 0.3; elsewhen has priority of the first"
    Integer a(start = 0, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true);
  equation
    when sample(0, 0.3) then a = pre(a) + 1; elsewhen sample(0, 0.1) then a = pre(a) + 100; end when;
    when sample(0, 0.1) then b = pre(b) + 1; end when;
    when sample(0, 0.1) and sample(0, 0.3) then c = pre(c) + 1; end when;
  end Coincide;
  model Machine "discrete variables, when and reinit inside states; assertion of an inactive state"
    model Up
      Real x(start = 0, fixed = true); Integer hits(start = 0, fixed = true);
    equation
      der(x) = 1 + hits;
      when x > 0.5 then hits = pre(hits) + 1; end when;
      assert(x < 1.5, "too high");
    end Up;
    model Down
      Real y(start = 1, fixed = true);
      Integer n(start = 0, fixed = true);
    equation
      der(y) = -1;
      when y < 0.5 and pre(n) < 2 then reinit(y, 0.75); n = pre(n) + 1; end when;
    end Down;
    Up up; Down down;
    Integer c(start = 0, fixed = true);
  equation
    initialState(up);
    transition(up, down, up.x > 1);
    transition(down, up, down.y < 0);
    when activeState(up) then c = pre(c) + 1; end when;
  end Machine;
  model Prio "two transitions at one instant: priority; immediate = false and synchronize"
    model S Real x(start = 0, fixed = true); equation der(x) = 1; end S;
    S a, b, c;
    Integer nb(start = 0, fixed = true), nc(start = 0, fixed = true);
  equation
    initialState(a);
    transition(a, c, a.x > 1, priority = 2);
    transition(a, b, a.x > 1 and time < 2, priority = 1);
    transition(b, a, b.x > 0.5);
    transition(c, a, c.x > 0.25, immediate = false);
    when activeState(b) then nb = pre(nb) + 1; end when;
    when activeState(c) then nc = pre(nc) + 1; end when;
  end Prio;
  model Nest "if-equations nested, of arrays, in for, elseif"
    Real x[3](each start = 0, each fixed = true), f[3];
    Integer m = if time < 1 then 1 elseif time < 2 then 2 else 3;
  equation
    for i in 1:3 loop
      der(x[i]) = f[i];
      if m == 1 then
        f[i] = i;
      elseif m == 2 then
        if i == 2 then x[i] = 2 + sin(time - 1); else f[i] = -i; end if;
      else
        der(f[i]) = -f[i];
      end if;
    end for;
  end Nest;
  model Grazing "touches 1 without crossing, then crosses by a hair"
    Real x = sin(time) + 1e-7*time;
    Integer n(start = 0, fixed = true), g(start = 0, fixed = true);
    Real y = cos(time);
  equation
    when x > 1 then n = pre(n) + 1; end when;
    when y > 0.9999999999 then g = pre(g) + 1; end when;
  end Grazing;
  model Narrow "a state's short excursion above a limit between steps"
    Real x(start = 0, fixed = true), v(start = 1, fixed = true);
    Integer n(start = 0, fixed = true);
  equation
    der(x) = v; der(v) = -x;
    when x > 0.999999 then n = pre(n) + 1; end when;
  end Narrow;
  model StartZero "conditions that are zero at the start"
    Real x(start = 0, fixed = true), y(start = 0, fixed = true);
    Boolean a = x > 0, b = x >= 0, c = y > 0, d = y < 0;
    Integer n(start = 0, fixed = true), m(start = 0, fixed = true), k(start = 0, fixed = true);
  equation
    der(x) = 1; der(y) = -time;
    when a then n = pre(n) + 1; end when;
    when b then m = pre(m) + 1; end when;
    when d then k = pre(k) + 1; end when;
  end StartZero;
  model Stiffy "stiff switch: two tanks of heat with 1e6 ratio, thermostat"
    Real T(start = 20, fixed = true), S(start = 20, fixed = true);
    Boolean on(start = true, fixed = true);
  equation
    on = if pre(on) then S < 22 else S < 21;
    der(T) = (if on then 5 else -3);
    1e-5*der(S) = T - S;
  end Stiffy;
  type Phase = enumeration(red, green, amber);
  model Enum
    Phase p(start = Phase.red, fixed = true);
    Real q(start = 0, fixed = true);
    Real dur[Phase] = {3, 2, 0.5};
    Real t0(start = 0, fixed = true);
    Integer cnt[Phase](each start = 0, each fixed = true);
  algorithm
    when time >= pre(t0) + dur[pre(p)] then
      cnt[pre(p)] := cnt[pre(p)] + 1;
      p := if pre(p) == Phase.red then Phase.green elseif pre(p) == Phase.green then Phase.amber else Phase.red;
      t0 := time;
    end when;
  equation
    der(q) = 1 - (if p == Phase.green then 2.5 else 0);
  end Enum;
  model MixedLoop "friction that depends on the normal force that depends on friction"
    Real v(start = 3, fixed = true), N, Fr;
  equation
    2*der(v) = -Fr + (if time > 2 then 30 else 0);
    N = 20 + 0.3*Fr;
    Fr = 0.4*N*sign(v);
  end MixedLoop;
  model DerIf "derivative of a switched expression: constraint with a kink"
    Real x, v, F;
  equation
    x = if time < 1 then time^2 else 2*time - 1;
    v = der(x);
    F = der(v);
  end DerIf;
  model VarDelay
    Real x(start = 0, fixed = true), y;
    Boolean b = y > 1;
    Integer n(start = 0, fixed = true);
  equation
    der(x) = 1;
    y = delay(x, 0.5 + 0.1*time, 2);
    when b then n = pre(n) + 1; end when;
  end VarDelay;
  model ClockEvt "event clock from a state, sub- and supersample, previous"
    Real x(start = 0, fixed = true);
    Clock c = Clock(x > 1);
    Real n(start = 0), m(start = 0), k(start = 0);
    Clock f = Clock(1, 10);
    Real fast(start = 0), slow;
  equation
    der(x) = 2;
    when c then n = previous(n) + 1; end when;
    when f then fast = previous(fast) + 1; end when;
    slow = subSample(fast, 4);
    m = previous(m) + slow;
    k = previous(k) + superSample(slow, 2);
  end ClockEvt;
end Instants;
