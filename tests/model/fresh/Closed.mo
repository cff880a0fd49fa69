package Closed "Models whose motion has a closed form, phase by phase"
  model BridgeRL "where |u| < R0 i all four conduct, and how they share the current is open"
    parameter Real L=0.5, R=2, R0=0.5, V=10, w=6.283185307179586;
    Real i(start=0, fixed=true), us, d1, d2, d3, d4, v1, v2, v3, v4, is, ur, s1,s2,s3,s4;
    Real ea, ep, en;
  equation
    us = V*sin(w*time);
    ea = us - R0*is;
    v1 = ea - ep; v2 = 0 - ep; v3 = en - ea; v4 = en - 0;
    is = d1 - d3; d1 + d2 = i; d3 + d4 = i;
    v1 = if s1 > 0 then 0 else s1; d1 = if s1 > 0 then s1 else 0;
    v2 = if s2 > 0 then 0 else s2; d2 = if s2 > 0 then s2 else 0;
    v3 = if s3 > 0 then 0 else s3; d3 = if s3 > 0 then s3 else 0;
    v4 = if s4 > 0 then 0 else s4; d4 = if s4 > 0 then s4 else 0;
    ep - en = ur; L*der(i) = ur - R*i;
  end BridgeRL;
  model Villard "charge is pumped: C2 gets half of what it lacks to 2 V in each period"
    parameter Real C1=1, C2=1, V=10, w=6.283185307179586;
    Real u1(start=0, fixed=true), u2(start=0,fixed=true), us, x, i1, id1, id2, sa, sb;
  equation
    us = V*sin(w*time);
    x = us + u1;
    C1*der(u1) = -i1;
    i1 + id1 = id2;
    -x = if sa > 0 then 0 else sa; id1 = if sa > 0 then sa else 0;
    x - u2 = if sb > 0 then 0 else sb; id2 = if sb > 0 then sb else 0;
    C2*der(u2) = id2;
  end Villard;
  model Quant "a quantiser in a loop: on the step the mean of both sides"
    Real x(start=0, fixed=true), q, d;
  equation
    d = if time < 3 then 0.3 else 1.6;
    der(x) = d - floor(x + 0.5);
    q = x;
  end Quant;
  model Quant2 "sampled control of what a quantiser says"
    Real x(start=0, fixed=true); discrete Real u(start=0,fixed=true);
      discrete Integer y(start=0,fixed=true);
  equation
    der(x) = -x + u;
    when sample(0, 0.1) then
      y = integer(floor(x*8 + 0.5));
      u = pre(u) + 0.4*(1 - y/8);
    end when;
  end Quant2;
  model Stack3 "three blocks on each other, friction by sign"
    Real v1(start=0,fixed=true), v2(start=0,fixed=true), v3(start=0,fixed=true), f1, f2, f3, F;
  equation
    F = if time < 5 then 4*time else 0;
    1*der(v1) = f1; 2*der(v2) = f2 - f1; 3*der(v3) = F - f2 - f3;
    f1 = 2*sign(v2 - v1); f2 = 4*sign(v3 - v2); f3 = 10*sign(v3);
  end Stack3;
  model RelayOsc "oscillator with dry friction: each half period takes 0.6 of the amplitude"
    Real x(start=2,fixed=true), v(start=0,fixed=true);
  equation
    der(x)=v; der(v) = -x - 0.3*sign(v);
  end RelayOsc;
  model TwoQuant "comes to a step whose upper side is at rest"
    Real x(start=0,fixed=true);
  equation
    der(x) = 1 - 0.5*floor(x);
  end TwoQuant;
  model Ropes "the lower load meets the floor and its rope goes slack, the upper one stays taut"
    parameter Real g=9.81;
    Real y1(start=0), y2(start=0.9), y3(start=0.4), v1(start=0), v2(start=0), v3(start=0), T, S, N;
    Boolean t1(start=true,fixed=true), t2(start=true,fixed=true), fl(start=false,fixed=true);
  equation
    der(y1)=v1; der(y2)=v2; der(y3)=v3;
    1*der(v1) = T - g; 2*der(v2) = T - S - 2*g; 1*der(v3) = S - g + N;
    t1 = if pre(t1) then T > 0 else y1 + y2 < 0.9;
    t2 = if pre(t2) then S > 0 else y2 - y3 > 0.5;
    fl = if pre(fl) then N > 0 else y3 <= 0;
    if t1 then y1 + y2 = 0.9; else T = 0; end if;
    if t2 then y2 - y3 = 0.5; else S = 0; end if;
    if fl then y3 = 0; else N = 0; end if;
  end Ropes;
  model ClutchRing3 "a ring of clutches closes one by one, and opens"
    Real w1(start=1,fixed=true), w2(start=0,fixed=true), w3(start=-1,fixed=true), t12, t23, t31;
  equation
    1*der(w1) = 1 - t12 + t31; 2*der(w2) = t12 - t23; 3*der(w3) = t23 - t31;
    if time > 1 and time < 4 then w1 = w2; else t12 = 0; end if;
    if time > 2 and time < 4 then w2 = w3; else t23 = 0; end if;
    if time > 3 and time < 4 then w3 = w1; else t31 = 0; end if;
  end ClutchRing3;
  model ImpactRod "a law of impact for a ball that a rod ties to another"
    Real x1(start=0,fixed=true), v1(start=2,fixed=true), x2(start=1,fixed=true), v2(start=0,fixed=true), x3, v3, F;
  equation
    der(x1)=v1; der(x2)=v2; der(x3)=v3; 1*der(v1)=0; 1*der(v2)=F; 2*der(v3)=-F;
    x3 - x2 = 0.5;
    when x1 >= x2 then
      reinit(v1, pre(v1) - 1.5*3/4*(pre(v1)-pre(v2)));
      reinit(v2, pre(v2) + 1.5*1/4*(pre(v1)-pre(v2)));
    end when;
  end ImpactRod;
  model CurrentDiodes "a current source clamped on both sides"
    Real u(start=0,fixed=true), d1, d2, i;
      Boolean on1(start=false,fixed=true), on2(start=false,fixed=true);
  equation
    i = 5*sin(6.283185307179586*time);
    0.5*der(u) = i - d1 + d2;
    on1 = if pre(on1) then d1 > 0 else u > 1;
    on2 = if pre(on2) then d2 > 0 else u < -2;
    if on1 then u = 1; else d1 = 0; end if;
    if on2 then u = -2; else d2 = 0; end if;
  end CurrentDiodes;
  model BangHarm "to the origin in the shortest time"
    Real x(start=2,fixed=true), v(start=1,fixed=true), u;
  equation
    der(x)=v; der(v)=u; u = -sign(x + v*abs(v)/2);
  end BangHarm;
  model Island "charged capacitors float, then one end is grounded, then the other driven"
    parameter Real C1=1, C2=2, R=1;
    Real u1(start=3,fixed=true), u2(start=5,fixed=true), ea, eb, ec, ua, i, ia, ib;
  equation
    ea - eb = u1; eb - ec = u2; C1*der(u1) = i; C2*der(u2) = i;
    ua = ea - ec;
    if time < 1 then ia = 0; else ec = 0; end if;
    if time < 2 then i = 0; else R*i = 10 - ea; end if;
    ia = i - ib; ib = i;
  end Island;
  model MotionBegins "an imposed motion begins: an impulse that another mass feels"
    Real x, v, F, s, q(start=0,fixed=true), vq(start=0,fixed=true);
  equation
    s = if time < 1 then 0 else 2*(time - 1);
    der(x)=v; 3*der(v) = F; x = s;
    der(q) = vq; der(vq) = F;
  end MotionBegins;
  model LogEdge "a rate that goes to infinity where it ends"
    Real x(start=1,fixed=true), y(start=0,fixed=true); Real z;
  equation
    der(x) = if z > 0.5 then 0 else -1;
    der(y) = if z > 0.5 then 0 else log(x);
    z = if d then 1 else 0;
    d = pre(d) or x <= 0;
  protected
    Boolean d(start=false,fixed=true);
  end LogEdge;
  model StartContact "the start is an impact"
    Real x(start=0), v(start=-1), N; Boolean c(start=false);
  equation
    der(x) = v; der(v) = 10*time - 10 + N;
    c = if pre(c) then N > 0 else x <= 0;
    if c then x = 0; else N = 0; end if;
  end StartContact;
  model Legs4 "a plate on four legs, then three: only forces are open"
    parameter Real m=10,g=9.81;
    Real z,v,p,wp, a, f1,f2,f3,f4, s;
  equation
    der(z)=v; der(p)=wp; a = der(v);
    m*der(v) = f1+f2+f3+f4 - m*g;
    4*der(wp) = -2*f1 - f2 + f3 + 2*f4;
    z - 2*p = 0; z - p = 0; z + p = 0;
    if time < 1.5 then z + 2*p = 0; else f4 = 0; end if;
    s = f1+f2+f3+f4;
  end Legs4;
  model SlideWhen "while x slides on r, an event of another state moves r"
    Real x(start=0.5,fixed=true), y(start=2,fixed=true); discrete Real r(start=0,fixed=true);
  equation
    der(x) = if x > r then -1 else 1; der(y) = -1;
    when y < 0 then r = 1; end when;
  end SlideWhen;
  model SlideStart "the same, where all of it is at the start"
    Real x(start=0,fixed=true), y(start=0.3,fixed=true); discrete Real r(start=0,fixed=true);
  equation
    der(x) = if x > r then -1 else 1; der(y) = -1;
    when y < 0.3 then r = 1; end when;
  end SlideStart;
end Closed;
