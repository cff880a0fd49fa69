package Corners "What happens at an instant, in a few lines each"
  model TwoGears
    Real w1(start=6,fixed=true), w2, w3, t1, t2;
  equation
    der(w1) = -t1; if time < 1 then 2*der(w2) = 2*t1 - t2; 3*der(w3) = 3*t2; w1 = 2*w2; w2 =
    3*w3; else 2*der(w2) = t1 - t2; 3*der(w3) = t2; w1 = w2; w2 = w3; end if;
  end TwoGears;
  model TwoSlides
    Real x(start=1,fixed=true), y(start=1,fixed=true);
  equation
    der(x) = (if x > 0 then -2 else 2) + y; der(y) = (if y > 0 then -0.5 else 0.5) + 0.3;
  end TwoSlides;
  model TwoSlides3
    Real x(start=1,fixed=true), y(start=1,fixed=true);
  equation
    der(x) = (if x > 0 then -2 else 2) + y; der(y) = (if y > 0 then -0.5 else 0.5) + 0.3;
  end TwoSlides3;
  model Track
    Real x(start=0.5,fixed=true);
  equation
    der(x) = if x < sin(time) then 3 else -3;
  end Track;
  model SlideReinit
    Real x(start=1,fixed=true), q(start=0,fixed=true);
  equation
    der(x) = if x > 0 then -2 else 2; der(q) = abs(x); when time >= 2 then reinit(x, 1); end
    when;
  end SlideReinit;
  model SlideSample
    Real x(start=1,fixed=true); Integer n(start=0,fixed=true);
  equation
    der(x) = if x > 0 then -2 else 1; when sample(0.25, 0.25) then n = pre(n) + 1; if n == 6
    then reinit(x, -0.3); end if; end when;
  end SlideSample;
  model SlideLeave2
    Real x(start=1,fixed=true);
  equation
    der(x) = (if x > 0 then -1 else 1) + 0.5*time;
  end SlideLeave2;
  model SlideThird
    Real x(start=0.2,fixed=true), y(start=0.5,fixed=true), z(start=0,fixed=true);
  equation
    der(x) = if x + y > 0 then -1 else 1; der(y) = -y; der(z) = x;
  end SlideThird;
  model StartZero2
    Real x(start=0,fixed=true), y(start=0,fixed=true); Boolean a, b, c, d;
  equation
    der(x) = time; der(y) = -3*time^2; a = x > 0; b = x <= 0; c = y >= 0; d = y < 0;
  end StartZero2;
  model StartZeroRest
    Real x(start=0,fixed=true); Boolean a, b;
  equation
    der(x) = if time < 0.5 then 0 else 1; a = x > 0; b = x >= 0;
  end StartZeroRest;
  model StartZeroWhen
    Real x(start=0,fixed=true); Integer n(start=0,fixed=true), k(start=0,fixed=true);
  equation
    der(x) = 1; when x > 0 then n = pre(n) + 1; end when; when x >= 0 then k = pre(k) + 1; end
    when;
  end StartZeroWhen;
  model GridCount
    Real x(start=0,fixed=true); Integer n, c(start=0,fixed=true);
  equation
    der(x) = 1; n = integer(x*100); when change(n) then c = pre(c) + 1; end when;
  end GridCount;
  model GridBoth
    Real x(start=0,fixed=true); Integer c(start=0,fixed=true);
  equation
    der(x) = 1; when sample(0.1, 0.1) then c = pre(c) + (if x > 0.45 then 1 else 0); end when;
  end GridBoth;
  model Quartic
    Real x(start=1-1e-8,fixed=true); Integer n(start=0,fixed=true); Boolean b;
  equation
    der(x) = 4*(time-1)^3; b = x < 0; when change(b) then n = pre(n) + 1; end when;
  end Quartic;
  model Close2
    Real x(start=1-1e-6,fixed=true); Integer n(start=0,fixed=true); Boolean b;
  equation
    der(x) = 2*(time-1); b = x < 0; when change(b) then n = pre(n) + 1; end when;
  end Close2;
  model CloseTime
    Integer n(start=0,fixed=true); Boolean b;
  equation
    b = (time-1)^2 < 1e-14; when change(b) then n = pre(n) + 1; end when;
  end CloseTime;
  model AtStop
    Integer n(start=0,fixed=true), k(start=0,fixed=true);
  equation
    when time >= 1 then n = pre(n) + 1; end when; when time >= 0 then k = pre(k) + 1; end
    when;
  end AtStop;
  model StopSample
    Integer n(start=0,fixed=true);
  equation
    when sample(0, 0.25) then n = pre(n) + 1; end when;
  end StopSample;
  model EdgeChain
    Boolean a, b(start=false,fixed=true), c(start=false,fixed=true); Integer
      n(start=0,fixed=true), k(start=0,fixed=true), j(start=0,fixed=true);
  equation
    a = time > 1; b = pre(a); c = pre(b); when edge(a) then n = pre(n) + 1; end when; when
    change(b) then k = pre(k) + 1; end when; when c and not pre(c) then j = pre(j) + 1; end
    when;
  end EdgeChain;
  model VectorWhen
    Integer n(start=0,fixed=true); Boolean a = time > 1, b = time > 2, c = time > 3 and time <
      4;
  equation
    when {a, b, c} then n = pre(n) + 1; end when;
  end VectorWhen;
  model Lcg
    Integer k(start=1,fixed=true);
  equation
    when sample(0.1, 0.1) then k = mod(1103515245*pre(k) + 12345, 2147483648); end when;
  end Lcg;
  model BigInt
    Integer k(start=3,fixed=true), j(start=0,fixed=true);
  equation
    when sample(0.1,0.1) then k = mod(pre(k)*pre(k), 3037000493); j = div(k*2999999999,
    1000000007); end when;
  end BigInt;
  model Samples
    Boolean s1, s2; Integer n(start=0,fixed=true), k(start=0,fixed=true);
  equation
    s1 = sample(0,0.1); s2 = sample(0,0.25); when s1 and s2 then n = pre(n) + 1; end when;
    when {s1, s2} then k = pre(k) + 1; end when;
  end Samples;
  model Samples3
    Integer a(start=0,fixed=true), b(start=0,fixed=true), c(start=0,fixed=true);
  equation
    when sample(0.3,0.3) then a = pre(a) + 1; end when; when sample(0.1,0.1) then b = pre(b) +
    a; end when; when sample(0.9,0.9) then c = pre(c) + b; end when;
  end Samples3;
  model Cradle
    Real x[3](start={0,1,2},each fixed=true), v[3](start={1,0,0},each fixed=true);
  equation
    der(x) = v; der(v) = zeros(3); when x[2] - x[1] <= 0.5 then reinit(v[1], v[2]);
    reinit(v[2], v[1]); end when; when x[3] - x[2] <= 0.5 then reinit(v[2], v[3]);
    reinit(v[3], v[2]); end when;
  end Cradle;
  model ReinitChain
    Real x(start=0,fixed=true), y(start=0,fixed=true); Integer n(start=0,fixed=true);
  equation
    der(x) = 1; der(y) = 0; when x > 1 then reinit(x, 5); end when; when x > 4 then reinit(y,
    7); n = pre(n) + 1; end when;
  end ReinitChain;
  model ReinitBack
    Real x(start=0,fixed=true); Integer n(start=0,fixed=true);
  equation
    der(x) = 1; when x >= 1 then reinit(x, 0); n = pre(n) + 1; end when;
  end ReinitBack;
  model ReinitTo
    Real x(start=0,fixed=true); Integer n(start=0,fixed=true);
  equation
    der(x) = 1; when x > 1 then reinit(x, 1); n = pre(n) + 1; end when;
  end ReinitTo;
  model ExclusiveReinit
    Real x(start=0,fixed=true), v(start=1,fixed=true);
  equation
    der(x) = v; der(v) = 0; when {x > 1, x < -1} then reinit(v, if x > 0 then -pre(v)/2 else
    -pre(v)); end when;
  end ExclusiveReinit;
  model SampleReinit
    Real x(start=1,fixed=true);
  equation
    der(x) = -x; when sample(1,1) then reinit(x, pre(x) + 1); end when;
  end SampleReinit;
  model Opposite
    Real x(start=-1,fixed=true), y(start=1,fixed=true); Boolean b = x > 0, c = y > 0; Integer
      bad(start=0,fixed=true), n(start=0,fixed=true);
  equation
    der(x) = 1; der(y) = -1; when b and c then bad = 1; end when; when {b, not c} then n =
    pre(n) + 1; end when;
  end Opposite;
  model AlgebraicIf
    Real x, y;
  equation
    x = time; y = x + (if y > 1 then 0.5*(y-1) else 0);
  end AlgebraicIf;
  model Relax
    Real x(start=0,fixed=true); Boolean up(start=true,fixed=true); Integer
      n(start=0,fixed=true);
  equation
    up = if pre(up) then x < 0.5 else x < -0.5; der(x) = (if up then 1 else -1) - x; when
    change(up) then n = pre(n) + 1; end when;
  end Relax;
  model Many
    parameter Integer n=40; Real x[n](each start=0,each fixed=true); Integer c[n](each
      start=0,each fixed=true), s;
  equation
    for i in 1:n loop der(x[i]) = 1; when x[i] > 1 then c[i] = pre(c[i]) + i; end when; end
    for; s = sum(c);
  end Many;
  model DelayRel
    Real x(start=0,fixed=true), y; Boolean b; discrete Real at(start=0,fixed=true);
  equation
    der(x) = 1; y = delay(x, 0.5); b = y > 0.3; when b then at = time; end when;
  end DelayRel;
  model TimedNext
    discrete Real next(start=0.1,fixed=true); Integer n(start=0,fixed=true);
  equation
    when time >= pre(next) then next = pre(next) + 0.1*(1 + pre(n)); n = pre(n) + 1; end when;
  end TimedNext;
  model Ball
    parameter Real e=0.5, g=9.81; Real h(start=1,fixed=true), v(start=0,fixed=true), floor;
      Boolean impact, flying(start=true,fixed=true); discrete Real vn(start=0,fixed=true);
  equation
    floor = 0; impact = h <= floor; der(h) = v; der(v) = if flying or time > 3 then -g else 0;
    when {h <= floor and v <= 0, impact} then vn = if edge(impact) then -e*pre(v) else 0;
    flying = vn > 0; reinit(v, vn); end when;
  end Ball;
  model NoEventInt
    Real q(start=0,fixed=true);
  equation
    der(q) = noEvent(if sin(time) > 0 then sin(time) else 0);
  end NoEventInt;
  model AbsKink
    Real q(start=0,fixed=true);
  equation
    der(q) = abs(sin(3*time));
  end AbsKink;
  model Cascade3
    Real x(start=0,fixed=true), y, z; Boolean a = time > 1, b(start=false,fixed=true),
      c(start=false,fixed=true);
  equation
    b = pre(a); c = pre(b); if c then der(x) = -1; y = x; z = 2; elseif b then x = 5; y = 1; z
    = 1; else der(x) = 1; y = 0; z = 0; end if;
  end Cascade3;
  model PreReal
    discrete Real d(start=1,fixed=true); Real x(start=0,fixed=true);
  equation
    der(x) = pre(d); when x > 1 then d = 3; end when;
  end PreReal;
  model MaxSwitch
    Real x(start=0,fixed=true), y(start=2,fixed=true), w(start=0,fixed=true);
  equation
    der(x) = 2; der(y) = -1; der(w) = max(x, y);
  end MaxSwitch;
  model Hyst3
    Real u = 2*sin(time), q(start=0,fixed=true); Integer s(start=0,fixed=true);
  equation
    s = if u > 1 then 1 elseif u < -1 then -1 elseif abs(u) < 0.5 then 0 else pre(s); der(q) =
    s;
  end Hyst3;
  model StringSlack
    Real x(start=0,fixed=true), v(start=1,fixed=true), y(start=0,fixed=true),
      w(start=0,fixed=true), T; Boolean taut(start=false,fixed=true);
  equation
    der(x) = v; der(y) = w; taut = x - y >= 1 or pre(taut); der(v) = -T; 2*der(w) = T; if taut
    then v = w; else T = 0; end if;
  end StringSlack;
  model LoopEvent
    Real x(start=0.1), y; Integer n(start=0,fixed=true);
  equation
    x^3 + x = 2*sin(time) ; y = x - 0.5; when y > 0 then n = pre(n) + 1; end when;
  end LoopEvent;
  model LoopJumpOk
    Real x(start=1);
  equation
    x^3 + x = if time < 0.5 then 2 else 10;
  end LoopJumpOk;
  model EntryEvent
    Real x(start=1,fixed=true), v(start=0,fixed=true), a; Boolean
      down(start=false,fixed=true);
  equation
    down = x > 1.5 or (pre(down) and x > 0.5); der(x) = v; if down then der(v) = -4; a = 0;
    else der(v) = 2; a = 1; end if;
  end EntryEvent;
  model AlgoWhen
    Integer k(start=0,fixed=true), s(start=0,fixed=true);
  algorithm
    when sample(0.1,0.1) then for i in 1:3 loop k := k + i; end for; if k > 20 then k := 0; s
    := s + 1; end if; end when;
  end AlgoWhen;
  model Machine
    block A Real x(start=0); equation der(x) = 1; end A; block B Real y(start=0); equation
      der(y) = 2; end B; A a; B b;
  equation
    initialState(a); transition(a, b, a.x > 1); transition(b, a, b.y > 1, reset=true);
  end Machine;
  model MachineNoReset
    block A Real x(start=0); equation der(x) = 1; end A; block B Real y(start=0); equation
      der(y) = 2; end B; A a; B b; Integer n(start=0,fixed=true);
  equation
    initialState(a); transition(a, b, a.x > 1 + 0*n, reset=false); transition(b, a, b.y > 1,
    reset=true); when activeState(b) then n = pre(n) + 1; end when;
  end MachineNoReset;
  model Guard2
    Real h(start=1,fixed=true);
  equation
    der(h) = if h > 0 then -sqrt(h) else 0;
  end Guard2;
  model GuardLog
    Real x(start=2,fixed=true), y;
  equation
    der(x) = -1; y = if x > 1 then log(x - 1) else 0;
  end GuardLog;
  model TwoTanks
    Real h1(start=1,fixed=true), h2(start=0,fixed=true);
  equation
    der(h1) = -(if h1 > 0 then sqrt(h1) else 0); der(h2) = (if h1 > 0 then sqrt(h1) else 0) -
    (if h2 > 0 then 0 else 0);
  end TwoTanks;
  model SawTooth
    Real x(start=0,fixed=true), q(start=0,fixed=true);
  equation
    der(x) = mod(time, 0.3); der(q) = if x > 0.5 then 1 else 0;
  end SawTooth;
  model Div
    Real x(start=-3.5,fixed=true); Integer n(start=0,fixed=true), d;
  equation
    der(x) = 1; d = integer(x/0.5); when change(d) then n = pre(n) + 1; end when;
  end Div;
  model CountBoth
    Real x = sin(time); Integer n(start=0,fixed=true);
  equation
    when {x > 0.5, x < 0.5} then n = pre(n) + 1; end when;
  end CountBoth;
  model PreWhen
    Real x(start=0,fixed=true); discrete Real a(start=0,fixed=true), b(start=0,fixed=true);
  equation
    der(x) = 1; when sample(0.5,0.5) then a = x; b = pre(a); end when;
  end PreWhen;
  model ZeroImpulse
    Real v1(start=1,fixed=true), v2(start=1,fixed=true), F;
  equation
    der(v1) = -F; 3*der(v2) = F; if time < 1 then F = 0; else v1 = v2; end if;
  end ZeroImpulse;
  model ThreeClutch
    Real w[4](start={4,0,2,6},each fixed=true), t[3];
  equation
    der(w[1]) = -t[1]; der(w[2]) = t[1] - t[2]; der(w[3]) = t[2] - t[3]; der(w[4]) = t[3]; for
    i in 1:3 loop if time < i then t[i] = 0; else w[i] = w[i+1]; end if; end for;
  end ThreeClutch;
  model ThreeClutchRev
    Real w[4](start={4,0,2,6},each fixed=true), t[3];
  equation
    der(w[1]) = -t[1]; der(w[2]) = t[1] - t[2]; der(w[3]) = t[2] - t[3]; der(w[4]) = t[3]; for
    i in 1:3 loop if time < 1 then t[i] = 0; else w[i] = w[i+1]; end if; end for;
  end ThreeClutchRev;
  model Unclutch
    Real w1(start=1,fixed=true), w2(start=3,fixed=true), t;
  equation
    der(w1) = 1 - t; der(w2) = t; if time > 1 and time < 2 then w1 = w2; else t = 0; end if;
  end Unclutch;
  model CapShort
    Real u1(start=4,fixed=true), u2(start=1,fixed=true), i;
  equation
    der(u1) = -i; 2*der(u2) = i; if time < 1 then i = 0; else u1 = u2; end if;
  end CapShort;
  model SlopeReverse
    Real x(start=0,fixed=true), v(start=2,fixed=true);
  equation
    der(x) = v; der(v) = -1 - 0.5*sign(v);
  end SlopeReverse;
  model SlopeStick
    Real x(start=0,fixed=true), v(start=2,fixed=true);
  equation
    der(x) = v; der(v) = -1 - 1.5*sign(v);
  end SlopeStick;
  model BoolLoop
    Boolean a(start=false,fixed=true), b(start=false,fixed=true); Integer
      n(start=0,fixed=true);
  equation
    a = time > 1 and not pre(b); b = time > 2 and pre(a) or pre(b); when change(a) then n =
    pre(n) + 1; end when;
  end BoolLoop;
  model IntegerState
    Integer s(start=1,fixed=true); Real x(start=0,fixed=true);
  equation
    der(x) = s; s = if pre(s) == 1 and x > 1 then 2 elseif pre(s) == 2 and x > 3 then -4
    elseif pre(s) == -4 and x < 0 then 1 else pre(s);
  end IntegerState;
  model WhenInit
    Integer n(start=5); Real x(start=0,fixed=true); initial
  equation
    n = 3; equation der(x) = 1; when x > 0.5 then n = pre(n)*2; end when;
  end WhenInit;
  model Spring
    Real x(start=1,fixed=true), v(start=0,fixed=true); Integer n(start=0,fixed=true);
  equation
    der(x) = v; der(v) = if x > 0 then -4*x else -x; when x > 0 then n = pre(n) + 1; end when;
  end Spring;
  model Tangent
    Real x(start=0,fixed=true), v(start=2,fixed=true); Boolean b; Integer
      n(start=0,fixed=true);
  equation
    der(x) = v; der(v) = -2; b = x > 0.9999; when change(b) then n = pre(n) + 1; end when;
  end Tangent;
  model TwoZeno
    Real h1(start=1,fixed=true), v1(start=0,fixed=true), h2(start=2,fixed=true),
      v2(start=0,fixed=true), c(start=1,fixed=true), s(start=0,fixed=true); Boolean
      f1(start=true,fixed=true), f2(start=true,fixed=true), i1, i2;
  equation
    der(c) = s; der(s) = -c; i1 = h1 <= 0; i2 = h2 <= 0; der(h1) = v1; der(h2) = v2; der(v1) =
    if f1 then -10 else 0; der(v2) = if f2 then -10 else 0; when {i1, i1 and v1 <= 0} then f1
    = edge(i1) and pre(v1) < -1e-4; reinit(v1, if edge(i1) and pre(v1) < -1e-4 then
    -0.5*pre(v1) else 0); end when; when {i2, i2 and v2 <= 0} then f2 = edge(i2) and pre(v2) <
    -1e-4; reinit(v2, if edge(i2) and pre(v2) < -1e-4 then -0.6*pre(v2) else 0); end when;
  end TwoZeno;
  // What rounds turns back where it has just changed: the flow behind the event leads back, and
  // that is a change, too.
  model TurnFloor
    Real x(start=0,fixed=true), y(start=0,fixed=true); Integer n = integer(x);
  equation
    der(x) = 1 - 1.2*y; when change(n) then y = pre(y) + 1; end when;
  end TurnFloor;
  model TurnCeil
    Real x(start=0,fixed=true), y(start=0,fixed=true), n = ceil(x);
  equation
    der(x) = 1 - 1.2*y; when change(n) then y = pre(y) + 1; end when;
  end TurnCeil;
  model TurnDiv
    Real x(start=0.5,fixed=true), y(start=0,fixed=true), n = div(x, 1);
  equation
    der(x) = 1 - 1.2*y; when change(n) then y = pre(y) + 1; end when;
  end TurnDiv;
  // At the end of each round x is -2, or next to it, and becomes 0, or next to it.
  model SawCeil
    Real x(start=0,fixed=true); Integer n = integer(ceil(x)), k(start=0,fixed=true);
  equation
    der(x) = -1; when n <= -2 then reinit(x, x + 2); end when;
    when change(n) then k = pre(k) + 1; end when;
  end SawCeil;
  // At a whole number when the direction changes.
  model Touch
    Real x(start=0,fixed=true), y(start=0,fixed=true), n = floor(x);
  equation
    der(x) = if time < 2 then 1 else -1; der(y) = n;
  end Touch;
  // What is rounded slides on whole numbers: on 1 until the rate 0.3 + time/5 is 1, and on 2 until
  // it is 2, at 8.5 s.
  model SlideFloor
    Real x(start=0.5,fixed=true);
  equation
    der(x) = 0.3 + 0.2*time - floor(x);
  end SlideFloor;
  model SlideCeil
    Real x(start=-0.5,fixed=true);
  equation
    der(x) = -0.3 - 0.2*time - ceil(x);
  end SlideCeil;
  model SlideDiv
    Real x(start=0.5,fixed=true), y(start=-0.5,fixed=true);
  equation
    der(x) = 0.3 + 0.2*time - div(x, 1); der(y) = -0.3 - 0.2*time - div(y, 1);
  end SlideDiv;
  model SlideInteger
    Real x(start=0.5,fixed=true); Integer n = integer(x);
  equation
    der(x) = 0.3 + 0.2*time - n;
  end SlideInteger;
  // On 2 until the rate is 4: what lies between are the two rates, not the square of a number.
  model SlideSquare
    Real x(start=0.5,fixed=true), n = floor(x);
  equation
    der(x) = 0.3 + 0.2*time - n^2;
  end SlideSquare;
  model SlideMod
    Real x(start=0.7,fixed=true);
  equation
    der(x) = mod(x, 1) - 0.5;
  end SlideMod;
  // x slides from 4/3 s on with 0.6, with 0.35 when y does, too, from 1.6 s on.
  model SlideWholes
    Real x(start=0.2,fixed=true), y(start=0.2,fixed=true), z(start=0,fixed=true);
  equation
    der(x) = 0.6 - floor(x) - 0.5*floor(y); der(y) = 0.5 - floor(y); der(z) = floor(x);
  end SlideWholes;
  model SlideWholeReinit
    Real x(start=0.5,fixed=true);
  equation
    der(x) = 0.5 - floor(x); when time > 3 then reinit(x, 3.2); end when;
  end SlideWholeReinit;
  // Twice the number that is held, and a square of it, in one equation: on 1 until the rate is 3.
  model SlideTwice
    Real x(start=0.5,fixed=true), n = floor(x);
  equation
    der(x) = 0.3 + 0.2*time - tanh(n)/tanh(1)*n*n - 2*n;
  end SlideTwice;
  // Another state of a machine is entered while a whole number slides, at 2 s and 3 s.
  model SlideMachine
    model S end S;
    S a, b; Real x(start=0.5,fixed=true), c(start=0,fixed=true);
  equation
    der(x) = 0.5 - floor(x); der(c) = 1;
    initialState(a); transition(a, b, c > 2 and c < 2.5); transition(b, a, c > 3);
  end SlideMachine;
  // A branch inside of a function jumps over the boundary at x = 1, by more than one whole number,
  // and comes to it again by itself.
  function branch
    input Real x; output Real y;
  algorithm
    if x > 1 then y := x - 1; else y := 0.76; end if;
  end branch;
  model JumpInteger
    Real x(start=0,fixed=true), z(start=0,fixed=true); Integer n = integer(4*tanh(branch(x)));
  equation
    der(x) = 1; der(z) = n;
  end JumpInteger;
  model JumpRelation
    Real x(start=0,fixed=true), z(start=0,fixed=true); Boolean b = branch(x) > 0.5;
  equation
    der(x) = 1; der(z) = if b then 1 else 0;
  end JumpRelation;
  model Fuse "What it limits is zero as soon as it has blown: only pre() knows"
    Real i(start = 0, fixed = true), u, iR, iF;
    Boolean blown(start = false, fixed = true);
  equation
    10 = u + der(i);
    i = iR + iF;
    u = 5 * iR;
    if blown then
      iF = 0;
    else
      u = 0.1 * iF;
    end if;
    blown = pre(blown) or iF > 3;
  end Fuse;

  model FuseWhen
    Real i(start = 0, fixed = true), u, iR, iF;
    Boolean blown(start = false, fixed = true);
  equation
    10 = u + der(i);
    i = iR + iF;
    u = 5 * iR;
    iF = if blown then 0 else 10 * u;
    when iF > 3 then
      blown = true;
    end when;
  end FuseWhen;

  model TwoFuses "The second one blows because the first one has"
    Real i1, i2, i3, u, q(start = 0, fixed = true);
    Boolean b1(start = false, fixed = true), b2(start = false, fixed = true);
  equation
    time = i1 + i2 + i3;
    u = 10 * i3;
    der(q) = u;
    i1 = if b1 then 0 else u;
    i2 = if b2 then 0 else u / 3;
    when i1 > 1 then
      b1 = true;
    end when;
    when i2 > 0.6 then
      b2 = true;
    end when;
  end TwoFuses;

  model Reclose "It trips, recloses half a second later, and trips at once"
    Real v(start = 0, fixed = true), i;
    Boolean open(start = false, fixed = true);
    discrete Real since(start = -1, fixed = true);
    Integer trips(start = 0, fixed = true);
  equation
    der(v) = 1 - 0.1 * i;
    i = if open then 0 else v;
    when i > 2 then
      open = true;
      since = time;
      trips = pre(trips) + 1;
    elsewhen time > pre(since) + 0.5 and pre(open) then
      open = false;
      since = pre(since);
      trips = pre(trips);
    end when;
  end Reclose;

  model TripReinit
    Real x(start = 0, fixed = true), y;
    Boolean off(start = false, fixed = true);
  equation
    der(x) = 1;
    y = if off then 0 else 2 * x;
    when y > 1 then
      off = true;
      reinit(x, 5);
    end when;
  end TripReinit;
  model MetAndMoved "What it meets is moved away at the same instant"
    Real x(start = 0, fixed = true), y(start = 0, fixed = true);
    Boolean b = x - y > (if time < 1 then 1 else 3);
    Integer n(start = 0, fixed = true);
  equation
    der(x) = 1;
    der(y) = 0;
    when b then
      n = pre(n) + 1;
    end when;
  end MetAndMoved;
end Corners;
