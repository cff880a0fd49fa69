package PendulumMachine "A pendulum on a rope as a state machine: it swings, or falls freely"
  model Swing "The rope is taut: polar coordinates"
    parameter Real g = 9.81 "m/s2";
    parameter Real l = 1 "m";
    Real phi(start = 1.5) "angle, from below";
    Real w(start = 5) "rad/s";
    Real x = l*sin(phi);
    Real y = -l*cos(phi);
    Real force = l*w^2 + g*cos(phi) "in the rope, by the mass";
  equation
    der(phi) = w;
    der(w) = -g/l*sin(phi);
  end Swing;
  model Fall "The rope is loose: Cartesian coordinates"
    parameter Real g = 9.81 "m/s2";
    Real x;
    Real y;
    Real vx;
    Real vy;
  equation
    der(x) = vx;
    der(y) = vy;
    der(vx) = 0;
    der(vy) = -g;
  end Fall;
  model TwoStates "The radial velocity is lost when the rope becomes taut"
    parameter Real g = 9.81 "m/s2";
    parameter Real l = 1 "m";
    Swing swing(g = g, l = l);
    Fall fall(g = g);
    Real phi = atan2(fall.x, -fall.y) "of the falling mass";
    Real energy = if activeState(swing) then l^2*swing.w^2/2 + g*swing.y else
        (fall.vx^2 + fall.vy^2)/2 + g*fall.y "by the mass";
  equation
    initialState(swing);
    transition(swing, fall, swing.force < 0);
    transition(fall, swing, fall.x^2 + fall.y^2 > l^2);
    when activeState(fall) then
      reinit(fall.x, swing.x);
      reinit(fall.y, swing.y);
      reinit(fall.vx, l*swing.w*cos(swing.phi));
      reinit(fall.vy, l*swing.w*sin(swing.phi));
    end when;
    when activeState(swing) then
      reinit(swing.phi, phi);
      reinit(swing.w, (fall.vx*cos(phi) + fall.vy*sin(phi))/l);
    end when;
    annotation(experiment(StopTime = 3));
  end TwoStates;
end PendulumMachine;
