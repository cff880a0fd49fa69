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

  model Pendulum "A ball on a rope: it swings while the rope is taut, and falls while it is not"
    parameter Real g = 9.81, l = 1, d = 0.2 "damping";
    parameter Real w0 = 6 "angular velocity at the beginning, at the lowest point";
    Real phi(start = 0, fixed = true), w(start = w0, fixed = true) "while it swings";
    Real x(start = 0, fixed = true), y(start = -l, fixed = true) "while it falls";
    Real vx(start = l * w0, fixed = true), vy(start = 0, fixed = true);
    Real force = l * w^2 + g * cos(phi) "of the rope, per unit mass";
    Real slack = l^2 - x^2 - y^2;
    Boolean falls(start = false, fixed = true);
    Integer flights(start = 0, fixed = true);
  equation
    der(phi) = if falls then 0 else w;
    der(w) = if falls then 0 else -(g / l) * sin(phi) - d * w;
    der(x) = if falls then vx else l * w * cos(phi);
    der(y) = if falls then vy else l * w * sin(phi);
    der(vx) = if falls then -d * vx
      else l * (-(g / l) * sin(phi) - d * w) * cos(phi) - l * w^2 * sin(phi);
    der(vy) = if falls then -g - d * vy
      else l * (-(g / l) * sin(phi) - d * w) * sin(phi) + l * w^2 * cos(phi);
    when not falls and force < 0 then
      falls = true;
      flights = pre(flights) + 1;
    elsewhen falls and slack < 0 then
      falls = false;
      flights = pre(flights);
      reinit(phi, atan2(x, -y));
      reinit(w, (vx * (-y) + vy * x) / l^2);
      reinit(vx, (vx * (-y) + vy * x) / l^2 * (-y));
      reinit(vy, (vx * (-y) + vy * x) / l^2 * x);
    end when;
    annotation(experiment(StopTime = 10, Tolerance = 1e-8));
  end Pendulum;

  model Rectifier "RLC circuit with a diode that is a shortcut, C21's third case study"
    parameter Real R1 = 10, R2 = 20, L = 25.3e-6, C = 100e-9, f = 0.15e6;
    constant Real pi = 3.14159265358979323846;
    Real i(start = 0, fixed = true, nominal = 1e-3);
    Real u(start = 0, fixed = true, nominal = 1e-2);
    Real source = sin(2 * pi * f * time);
    Real h = R2 * i + u "voltage over R2 and C, and over the diode";
    Boolean conducts(start = false, fixed = true);
    Integer switches(start = 0, fixed = true);
  equation
    L * der(i) = source - R1 * i - (if conducts then 0 else h);
    C * der(u) = if conducts then -u / R2 else i;
    when h > 0.5 then
      conducts = true;
    elsewhen i + u / R2 < 0 then
      conducts = false;
    end when;
    when conducts then
      switches = pre(switches) + 1;
    end when;
    annotation(experiment(StopTime = 200e-6, Tolerance = 1e-8));
  end Rectifier;
end Sweeps;
