package Sweeps "What make bench-sweep runs many times, each against a loop that was written by hand"

  model Contact "Dynamic contact of ARGESIM benchmark C21: a Boolean switches parts of equations"
    parameter Real g = 9.81, beta = 0.002, k = 1e6, d = 500;
    Real x(start = 10, fixed = true) "bottom of the undeformed ball";
    Real v(start = 0, fixed = true);
    Real w(start = 0, fixed = true) "deformation";
    Real y = x + w "bottom of the ball";
    Real f = -k * x - d * v "contact force per unit mass, while there is contact";
    Boolean contact(start = false, fixed = true);
    Integer contacts(start = 0, fixed = true);
    discrete Real rebound(start = 0, fixed = true) "velocity at the end of the first contact";
  equation
    der(x) = v;
    der(v) = if contact then f - g else -beta * v * noEvent(abs(v)) - g;
    der(w) = if contact then -v else -(k / d) * w;
    when y <= 0 then
      contact = true;
    elsewhen f <= 0 then
      contact = false;
    end when;
    when contact then
      contacts = pre(contacts) + 1;
    end when;
    when not contact then
      rebound = if pre(rebound) > 0 then pre(rebound) else v;
    end when;
    annotation(experiment(StopTime = 10, Tolerance = 1e-8));
  end Contact;

  model Bounces "A ball in the air, with a coefficient of restitution"
    parameter Real g = 9.81, beta = 0.002, mu = 0.9;
    Real x(start = 10, fixed = true);
    Real v(start = 0, fixed = true);
    Integer bounces(start = 0, fixed = true);
  equation
    der(x) = v;
    der(v) = -g - beta * v * noEvent(abs(v));
    when x <= 0 then
      reinit(v, -mu * pre(v));
      bounces = pre(bounces) + 1;
    end when;
    annotation(experiment(StopTime = 27, Tolerance = 1e-8));
  end Bounces;
end Sweeps;
