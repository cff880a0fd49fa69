package Logic "fourth round"
  model Cell
    parameter Real v0 = 0; parameter Real I0 = 1;
    Real v(start = v0, fixed = true);
    Boolean fire(start = false, fixed = true);
    Integer n(start = 0, fixed = true);
    input Real kick;
  equation
    der(v) = I0 - 0.1*v + kick;
    fire = v > 1;
    when fire then reinit(v, 0); n = pre(n) + 1; end when;
  end Cell;
  model Ring "integrate and fire, ring with pulse coupling by discrete counts"
    parameter Integer N = 5;
    Cell c[N](v0 = {0.1*i for i in 1:N}, I0 = {1 + 0.05*i for i in 1:N});
  equation
    for i in 1:N loop c[i].kick = 0.2*(if c[if i == 1 then N else i - 1].v > 0.5 then 1 else 0); end for;
  end Ring;
  model AliasReinit "reinit of an alias and of a state that is negated"
    Real x(start = 1, fixed = true), y, z;
  equation
    y = x; z = -y; der(x) = -x;
    when x < 0.5 then reinit(y, 2*pre(y)); end when;
  end AliasReinit;
  model Product "zero of a product: signs change one by one"
    Real x = sin(time), y = cos(time);
    Integer n(start = 0, fixed = true);
    Real q(start = 0, fixed = true);
  equation
    when x*y > 0 then n = pre(n) + 1; end when;
    der(q) = if x*y > 0 then 1 else 0;
  end Product;
  model NextTime "time events computed by the model"
    discrete Real next(start = 0.1, fixed = true);
    Integer k(start = 0, fixed = true);
    Real x(start = 0, fixed = true);
  equation
    when time >= pre(next) then k = pre(k) + 1; next = pre(next) + 0.1*(1 + mod(k, 3)); end when;
    der(x) = k;
  end NextTime;
  model AlgWhen "when in an algorithm: loop, several assignments, elsewhen"
    Real x(start = 0, fixed = true);
    Integer a[3](each start = 0, each fixed = true);
    Integer s(start = 0, fixed = true);
  equation
    der(x) = 1;
  algorithm
    when x > 0.5 then
      for i in 1:3 loop a[i] := a[i] + i; end for;
      s := sum(a);
    elsewhen x > 1 then
      s := s*10;
      a[2] := s;
    end when;
    if s > 50 then a[3] := -1; end if;
  end AlgWhen;
  model Priority "elsewhen at the same instant: the first wins; the other when sees it"
    Real x(start = 0, fixed = true);
    Integer p(start = 0, fixed = true), q(start = 0, fixed = true);
  equation
    der(x) = 1;
    when x >= 1 then p = 1; elsewhen time >= 1 then p = 2; end when;
    when pre(p) == 1 then q = 1; elsewhen p == 2 then q = 2; end when;
  end Priority;
  model MaxArr "max of an array decides who is served"
    Real x[3](start = {3, 2, 1}, each fixed = true);
    Real m = max(x);
    Integer who(start = 1, fixed = true), served(start = 0, fixed = true);
  equation
    for i in 1:3 loop der(x[i]) = 0.3*i - (if who == i then 1.5 else 0); end for;
  algorithm
    when sample(0, 0.5) then
      who := 1;
      for i in 2:3 loop if x[i] > x[who] then who := i; end if; end for;
      served := served*10 + who;
      if served > 9999 then served := mod(served, 10000); end if;
    end when;
  end MaxArr;
  model Saturate "PI with clamped integrator: conditional integration by an if-equation"
    Real y(start = 0, fixed = true), I(start = 0, fixed = true), u, us, e;
    Boolean sat;
  equation
    e = (if time < 4 then 3 else 0.5) - y;
    u = 2*e + I;
    us = max(-2, min(2, u));
    sat = u > 2 and e > 0 or u < -2 and e < 0;
    if sat then der(I) = 0; else der(I) = e; end if;
    der(y) = us - 0.5*y;
  end Saturate;
  model Tank3 "three tanks with pipes at heights: flow only above the pipe; sqrt law with direction"
    Real h[3](start = {1, 0.2, 0}, each fixed = true), q12, q23;
    function fl input Real d; output Real q; algorithm q := if d >= 0 then sqrt(d) else -sqrt(-d); annotation(Inline = false); end fl;
  equation
    q12 = 0.3*fl(max(h[1], 0.5) - max(h[2], 0.5));
    q23 = if h[2] > 0.4 then 0.2*sqrt(h[2] - 0.4 + 1e-6) else 0;
    der(h[1]) = -q12 + (if time < 1 then 0.5 else 0);
    der(h[2]) = q12 - q23;
    der(h[3]) = q23;
  end Tank3;
  model PosReinit "reinit of a position in a constraint: crank moves slider"
    Real phi(start = 0.3, fixed = true), w(start = 1, fixed = true), x, v;
  equation
    x = cos(phi) + sqrt(9 - sin(phi)^2);
    der(phi) = w; der(x) = v; der(w) = -0.1*w;
    when time > 1 then reinit(phi, 2); end when;
  end PosReinit;
  model Neutral "Boolean ring oscillator with delays by timers"
    discrete Real t0(start = 0, fixed = true);
    Boolean a(start = false, fixed = true), b(start = false, fixed = true);
    Integer n(start = 0, fixed = true);
  equation
    when {time > pre(t0) + 0.3 and pre(a) == pre(b), time > pre(t0) + 0.2 and pre(a) <> pre(b)} then
      t0 = time;
      a = not pre(b); b = pre(a);
      n = pre(n) + 1;
    end when;
  end Neutral;
end Logic;
