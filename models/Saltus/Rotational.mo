// SPDX-License-Identifier: MIT
within Saltus;
package Rotational "Mechanics around an axis"
  connector Flange "Where shafts are joined"
    Units.Angle phi "Angle";
    flow Units.Torque tau "Torque on the component";
  end Flange;

  partial model Compliant "Two flanges without inertia between them"
    Flange a, b;
    Units.Angle phi_rel "Angle from a to b";
    Units.Torque tau "Torque that turns the flanges towards each other";
  equation
    phi_rel = b.phi - a.phi;
    b.tau = tau;
    a.tau = -tau;
  end Compliant;

  model Fixed "A housing"
    Flange flange;
    parameter Units.Angle phi0 = 0 "Its angle";
  equation
    flange.phi = phi0;
  end Fixed;

  model Inertia "A rigid shaft"
    Flange a, b "Both ends; they turn together";
    parameter Units.MomentOfInertia J = 1 "Moment of inertia";
    Units.Angle phi "Angle";
    Units.AngularVelocity w "Speed";
  equation
    phi = a.phi;
    phi = b.phi;
    w = der(phi);
    J * der(w) = a.tau + b.tau;
  end Inertia;

  model Spring "A torsion spring with a linear law"
    extends Compliant;
    parameter Units.RotationalStiffness c = 1 "Stiffness";
    parameter Units.Angle phi_rel0 = 0 "Angle without torque";
  equation
    tau = c * (phi_rel - phi_rel0);
  end Spring;

  model Damper "Torque in proportion to the speed"
    extends Compliant;
    parameter Units.RotationalDamping d = 1 "Damping";
  equation
    tau = d * der(phi_rel);
  end Damper;

  model SpringDamper "Spring and damper side by side"
    extends Compliant;
    parameter Units.RotationalStiffness c = 1 "Stiffness";
    parameter Units.RotationalDamping d = 1 "Damping";
    parameter Units.Angle phi_rel0 = 0 "Angle without torque";
  equation
    tau = c * (phi_rel - phi_rel0) + d * der(phi_rel);
  end SpringDamper;

  model Gear "Ideal gear: a turns ratio times as fast as b"
    Flange a, b;
    parameter Real ratio = 1 "Transmission ratio";
  equation
    a.phi = ratio * b.phi;
    ratio * a.tau + b.tau = 0;
  end Gear;

  model Planetary "Planetary gear without losses: (1 + ratio) carrier = sun + ratio ring"
    Flange sun, carrier, ring;
    parameter Real ratio = 2 "Teeth of the ring over teeth of the sun";
  equation
    (1 + ratio) * carrier.phi = sun.phi + ratio * ring.phi;
    ring.tau = ratio * sun.tau;
    carrier.tau = -(1 + ratio) * sun.tau;
  end Planetary;

  model Torque "Torque given by a signal"
    Flange flange;
    Blocks.RealInput tau "Torque on what is joined to the flange";
  equation
    flange.tau = -tau;
  end Torque;

  model ConstantTorque "Constant torque"
    Flange flange;
    parameter Units.Torque tau = 1 "Torque on what is joined to the flange";
  equation
    flange.tau = -tau;
  end ConstantTorque;

  model Speed "Rotation whose speed is a signal"
    Flange flange(phi(start = 0, fixed = true));
    Blocks.RealInput w "Speed of the flange";
  equation
    der(flange.phi) = w;
  end Speed;

  model SpeedSensor "Measures a speed; no torque"
    Flange flange;
    Blocks.RealOutput w "Speed of the flange";
  equation
    w = der(flange.phi);
    flange.tau = 0;
  end SpeedSensor;

  model Clutch "Friction between two shafts, pressed together by a signal; it can stick"
    extends Compliant;
    parameter Units.Torque tau_max = 1 "Friction torque at full pressure";
    parameter Real peak(min = 1) = 1 "Largest torque while stuck over that while sliding";
    Blocks.RealInput pressure "Between 0 and 1";
    Units.AngularVelocity w "Relative speed";
    Units.AngularAcceleration a_rel "Relative acceleration";
    Integer mode(start = 0, fixed = true) "1 slides forward, -1 backward, 0 stuck, 2 open";
  protected
    constant Units.MomentOfInertia J1 = 1;
    Units.Torque s "Torque while stuck, else acceleration with an offset: a curve of three lines";
    Units.Torque c "Friction torque at this pressure";
    Boolean open "No pressure";
    Boolean forward(start = false, fixed = true) "Begins to slide forward";
    Boolean backward(start = false, fixed = true) "Begins to slide backward";
    Boolean stuck;
  equation
    w = der(phi_rel);
    a_rel = der(w);
    open = pressure <= 0;
    c = if open then 0 else tau_max * pressure;
    forward = not open and (pre(mode) == 0 and (s > peak * c or pre(forward) and s > c)
                            or pre(mode) == 2 and w > 0);
    backward = not open and (pre(mode) == 0 and (s < -peak * c or pre(backward) and s < -c)
                             or pre(mode) == 2 and w < 0);
    stuck = not open and not (pre(mode) == 1 or pre(mode) == -1 or forward or backward);
    J1 * a_rel = if stuck then 0 elseif open then s
                 elseif pre(mode) == 1 or forward then s - c else s + c;
    tau = if stuck then s elseif open then 0 elseif pre(mode) == 1 or forward then c else -c;
    mode = if open then 2
           elseif (pre(mode) == 1 or forward) and w > 0 then 1
           elseif (pre(mode) == -1 or backward) and w < 0 then -1 else 0;
  end Clutch;

  model Brake "Friction between a shaft and the housing, pressed by a signal; it can stick"
    Flange flange;
    Blocks.RealInput pressure "Between 0 and 1";
    parameter Units.Torque tau_max = 1 "Friction torque at full pressure";
    parameter Real peak(min = 1) = 1 "Largest torque while stuck over that while sliding";
    Clutch clutch(tau_max = tau_max, peak = peak);
    Fixed housing;
  equation
    connect(flange, clutch.b);
    connect(clutch.a, housing.flange);
    connect(pressure, clutch.pressure);
  end Brake;
end Rotational;
