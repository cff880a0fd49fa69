package ConstrainedPendulum "ARGESIM comparison C7: a pendulum whose rope meets a pin"

  constant Real pi = 3.14159265358979323846;

  partial model Parameters
    parameter Real m(unit = "kg") = 1.02;
    parameter Real g(unit = "m/s2") = 9.81;
    parameter Real d(unit = "kg/s") = 0.2 "damping";
    parameter Real l(unit = "m") = 1 "free length";
    parameter Real lp(unit = "m") = 0.7 "length above the pin";
    parameter Real phiPin(unit = "rad") = -pi / 12 "angle of the pin, from the bottom";
    parameter Real phi0(unit = "rad") = pi / 6;
    parameter Real omega0(unit = "rad/s") = 0;
    annotation(experiment(StopTime = 10));
  end Parameters;

  model Synchronised "The change of length is an event; l omega is continuous"
    extends Parameters;
    Real phi(unit = "rad", start = phi0, fixed = true);
    Real omega(unit = "rad/s", start = omega0, fixed = true);
    Boolean short(start = phi0 < phiPin, fixed = true) "the rope touches the pin";
    Real length(unit = "m") = if short then l - lp else l;
  equation
    der(phi) = omega;
    m * length * der(omega) = -m * g * sin(phi) - d * length * omega;
    when phi < phiPin then
      short = true;
      reinit(omega, pre(omega) * l / (l - lp));
    elsewhen phi > phiPin then
      short = false;
      reinit(omega, pre(omega) * (l - lp) / l);
    end when;
    annotation(experiment(StopTime = 10));
  end Synchronised;

  model Tangential "The same in the tangential velocity, which needs no jump"
    extends Parameters;
    Real phi(unit = "rad", start = phi0, fixed = true);
    Real v(unit = "m/s", start = omega0 * (if phi0 < phiPin then l - lp else l), fixed = true);
    Boolean short = phi < phiPin;
    Real length(unit = "m") = if short then l - lp else l;
  equation
    der(phi) = v / length;
    m * der(v) = -m * g * sin(phi) - d * v;
    annotation(experiment(StopTime = 10));
  end Tangential;

  model Unsynchronised "A bad example: if-then-else that the solver does not know of"
    extends Parameters;
    Real phi(unit = "rad", start = phi0, fixed = true);
    Real v(unit = "m/s", start = omega0 * (if phi0 < phiPin then l - lp else l), fixed = true);
    Real length(unit = "m") = noEvent(if phi < phiPin then l - lp else l);
  equation
    der(phi) = v / length;
    m * der(v) = -m * g * sin(phi) - d * v;
    annotation(experiment(StopTime = 10));
  end Unsynchronised;
end ConstrainedPendulum;
