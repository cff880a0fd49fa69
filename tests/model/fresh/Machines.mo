package Machines "machines and structure"
  model Batch "fill, heat (two states), drain; repeated; history of the counter"
    inner Real V(start = 0.01, fixed = true), Tm(start = 20, fixed = true);
    model Fill
      outer output Real V; outer output Real Tm;
    equation der(V) = 0.5; V*der(Tm) = 0.5*(20 - Tm);
    end Fill;
    model Heat
      outer output Real V; outer output Real Tm;
      Real coil(start = 20, fixed = true), e(start = 0, fixed = true);
    equation der(V) = 0; 2*der(coil) = 300 - 10*(coil - Tm); 4*der(Tm) = 10*(coil - Tm); der(e) = 300;
    end Heat;
    model Drain
      outer output Real V; outer output Real Tm;
    equation der(V) = -sqrt(V); der(Tm) = 0;
    end Drain;
    Fill fill; Heat heat; Drain drain;
  equation
    initialState(fill);
    transition(fill, heat, V >= 1);
    transition(heat, drain, Tm >= 60);
    transition(drain, fill, V <= 0.01);
  end Batch;
  model Parallel "two machines; one watches the other"
    model On Real x(start = 1, fixed = true); equation der(x) = x; end On;
    model Off end Off;
    On on; Off off; On on2; Off off2;
    Integer k(start = 0, fixed = true);
  equation
    initialState(off);
    transition(off, on, time > 1);
    transition(on, off, on.x > 3);
    initialState(off2);
    transition(off2, on2, activeState(on) and on.x > 2);
    transition(on2, off2, on2.x > 4);
    when activeState(on2) then k = pre(k) + 1; end when;
  end Parallel;
  model Servo "a force drives; then the position is given and the force follows"
    Real x(start = 0, fixed = true), v(start = 0, fixed = true), F;
    Boolean track = time > 1;
  equation
    der(x) = v;
    2*der(v) = F - 3*v;
    if track then v = 1 + sin(time); else F = 6; end if;
  end Servo;
  model Position "position given: needs consistent position at the change, acceleration from it"
    Real x(start = 0, fixed = true), v(start = 1, fixed = true), F;
    Boolean track = time >= 1;
  equation
    der(x) = v; der(v) = F;
    if track then x = 1 + sin(2*(time - 1)); else F = 0; end if;
  end Position;
  model Overflow "tank that overflows, two of them in cascade, second empties"
    Real h1(start = 0.5, fixed = true), h2(start = 0.1, fixed = true), o1, o2, q12, in1, out2;
    Boolean full(start = false, fixed = true), empty(start = false, fixed = true);
  equation
    in1 = if time < 2 then 1 elseif time < 4 then 0.1 else 0;
    q12 = 0.4*h1;
    der(h1) = in1 - q12 - o1;
    der(h2) = q12 - out2;
    full = if pre(full) then o1 > 0 else h1 >= 1;
    if full then h1 = 1; else o1 = 0; end if;
    empty = if pre(empty) then out2 < 0.35 else h2 <= 0;
    if empty then h2 = 0; else out2 = 0.35; end if;
    o2 = o1 + out2;
  end Overflow;
  model Bottles "array of machines"
    model B
      model F Real m(start = 0, fixed = true); parameter Real r = 1; equation der(m) = r; end F;
      model W Real m(start = 0, fixed = true); Real n(start = 1, fixed = true); equation der(m) = 1; der(n) = -n; end W;
      parameter Real r = 1;
      F f(r = r); W w;
      Integer k(start = 0, fixed = true);
    equation
      initialState(f);
      transition(f, w, f.m >= 1);
      transition(w, f, w.m >= 0.25);
      when activeState(w) then k = pre(k) + 1; end when;
    end B;
    B b[3](r = {1, 2, 3});
  end Bottles;
  model Switcheroo "x known by an equation or integrated; y opposite: number of states stays, states change"
    Real x(start = 1, fixed = true), y;
    Boolean a = sin(3*time) >= 0;
  equation
    if a then der(x) = -x + y; y = 2*time; else der(y) = -y + x; x = 2 - time; end if;
  end Switcheroo;
  model Index3 "a mass is grasped and moved along a line, then let go: index 1, 3, 1"
    Real x(start = 0, fixed = true), y(start = 0, fixed = true), vx(start = 1, fixed = true), vy(start = 1, fixed = true), l;
    Boolean g = time >= 1 and time < 2;
  equation
    der(x) = vx; der(y) = vy;
    der(vx) = 2*l; der(vy) = -l - 1;
    if g then 2*vx = vy; else l = 0; end if;
  end Index3;
end Machines;
