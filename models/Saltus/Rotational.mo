// SPDX-License-Identifier: MIT
within Saltus;
package Rotational "Mechanics around an axis"
  connector Flange "Where shafts are joined"
    Units.Angle phi "Angle";
    flow Units.Torque tau "Torque on the component";
    annotation(Icon(graphics = {
        Ellipse(extent = {{-100, -100}, {100, 100}}, lineColor = {60, 60, 60},
          fillColor = {130, 130, 130}, fillPattern = FillPattern.Solid)}));
  end Flange;

  partial model Compliant "Two flanges without inertia between them"
    Flange a
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}}))),
      b
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Units.Angle phi_rel "Angle from a to b";
    Units.Torque tau "Torque that turns the flanges towards each other";
  equation
    phi_rel = b.phi - a.phi;
    b.tau = tau;
    a.tau = -tau;
  end Compliant;

  model Fixed "A housing"
    Flange flange
      annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
    parameter Units.Angle phi0 = 0 "Its angle";
  equation
    flange.phi = phi0;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-60, -70}, {60, -40}}, pattern = LinePattern.None,
          lineColor = {130, 130, 130}, fillColor = {240, 240, 240},
          fillPattern = FillPattern.Backward),
        Line(points = {{-60, -40}, {60, -40}}, thickness = 0.5),
        Line(points = {{0, -40}, {0, 0}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end Fixed;

  model Inertia "A rigid shaft"
    Flange a "One end"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}}))),
      b "The other end; they turn together"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    parameter Units.MomentOfInertia J = 1 "Moment of inertia";
    Units.Angle phi "Angle";
    Units.AngularVelocity w "Speed";
  equation
    phi = a.phi;
    phi = b.phi;
    w = der(phi);
    J * der(w) = a.tau + b.tau;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-100, -10}, {-50, 10}}, lineColor = {90, 95, 105},
          fillColor = {225, 230, 235}, fillPattern = FillPattern.HorizontalCylinder),
        Rectangle(extent = {{50, -10}, {100, 10}}, lineColor = {90, 95, 105},
          fillColor = {225, 230, 235}, fillPattern = FillPattern.HorizontalCylinder),
        Rectangle(extent = {{-50, -55}, {50, 55}}, lineColor = {90, 95, 105},
          fillColor = {225, 230, 235}, fillPattern = FillPattern.HorizontalCylinder),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200}),
        Text(extent = {{-150, -100}, {150, -60}}, textString = "J = %J")}));
  end Inertia;

  model Spring "A torsion spring with a linear law"
    extends Compliant;
    parameter Units.RotationalStiffness c = 1 "Stiffness";
    parameter Units.Angle phi_rel0 = 0 "Angle without torque";
  equation
    tau = c * (phi_rel - phi_rel0);
    annotation(Icon(graphics = {
        Line(points = {{-100, 0}, {-60, 0}, {-50, 25}, {-30, -25}, {-10, 25}, {10, -25}, {30, 25},
          {50, -25}, {60, 0}, {100, 0}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200}),
        Text(extent = {{-150, -80}, {150, -40}}, textString = "c = %c")}));
  end Spring;

  model Damper "Torque in proportion to the speed"
    extends Compliant;
    parameter Units.RotationalDamping d = 1 "Damping";
  equation
    tau = d * der(phi_rel);
    annotation(Icon(graphics = {
        Line(points = {{-100, 0}, {-70, 0}}),
        Line(points = {{-70, 0}, {-10, 0}}),
        Line(points = {{60, -28}, {-30, -28}, {-30, 28}, {60, 28}}),
        Rectangle(extent = {{-10, -28}, {40, 28}}, fillColor = {215, 215, 215},
          fillPattern = FillPattern.Solid),
        Line(points = {{40, 0}, {70, 0}}),
        Line(points = {{70, 0}, {100, 0}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200}),
        Text(extent = {{-150, -80}, {150, -40}}, textString = "d = %d")}));
  end Damper;

  model SpringDamper "Spring and damper side by side"
    extends Compliant;
    parameter Units.RotationalStiffness c = 1 "Stiffness";
    parameter Units.RotationalDamping d = 1 "Damping";
    parameter Units.Angle phi_rel0 = 0 "Angle without torque";
  equation
    tau = c * (phi_rel - phi_rel0) + d * der(phi_rel);
    annotation(Icon(graphics = {
        Line(points = {{-70, 35}, {-50, 35}, {-42, 51}, {-26, 19}, {-10, 51}, {6, 19}, {22, 51},
          {38, 19}, {46, 35}, {70, 35}}),
        Line(points = {{-70, -30}, {-10, -30}}),
        Line(points = {{60, -48}, {-30, -48}, {-30, -12}, {60, -12}}),
        Rectangle(extent = {{-10, -48}, {40, -12}}, fillColor = {215, 215, 215},
          fillPattern = FillPattern.Solid),
        Line(points = {{40, -30}, {70, -30}}),
        Line(points = {{-100, 0}, {-70, 0}, {-70, 35}}),
        Line(points = {{-70, 0}, {-70, -30}}),
        Line(points = {{70, 35}, {70, -30}}),
        Line(points = {{70, 0}, {100, 0}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end SpringDamper;

  model Gear "Ideal gear: a turns ratio times as fast as b"
    Flange a
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}}))),
      b
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    parameter Real ratio = 1 "Transmission ratio";
  equation
    a.phi = ratio * b.phi;
    ratio * a.tau + b.tau = 0;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-100, -8}, {-30, 8}}, lineColor = {90, 95, 105},
          fillColor = {225, 230, 235}, fillPattern = FillPattern.HorizontalCylinder),
        Rectangle(extent = {{-30, -40}, {-5, 60}}, lineColor = {90, 95, 105},
          fillColor = {225, 230, 235}, fillPattern = FillPattern.HorizontalCylinder),
        Rectangle(extent = {{5, -8}, {100, 8}}, lineColor = {90, 95, 105},
          fillColor = {225, 230, 235}, fillPattern = FillPattern.HorizontalCylinder),
        Rectangle(extent = {{5, -60}, {30, 40}}, lineColor = {90, 95, 105},
          fillColor = {225, 230, 235}, fillPattern = FillPattern.HorizontalCylinder),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200}),
        Text(extent = {{-150, -105}, {150, -65}}, textString = "%ratio")}));
  end Gear;

  model Planetary "Planetary gear without losses: (1 + ratio) carrier = sun + ratio ring"
    Flange sun
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}}))),
      carrier
      annotation(Placement(transformation(extent = {{-10, -110}, {10, -90}}))),
      ring
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    parameter Real ratio = 2 "Teeth of the ring over teeth of the sun";
  equation
    (1 + ratio) * carrier.phi = sun.phi + ratio * ring.phi;
    ring.tau = ratio * sun.tau;
    carrier.tau = -(1 + ratio) * sun.tau;
    annotation(Icon(graphics = {
        Ellipse(extent = {{-70, -70}, {70, 70}}),
        Ellipse(extent = {{-25, -25}, {25, 25}}, fillColor = {215, 215, 215},
          fillPattern = FillPattern.Solid),
        Ellipse(extent = {{28, -20}, {68, 20}}, fillColor = {215, 215, 215},
          fillPattern = FillPattern.Solid),
        Ellipse(extent = {{-68, -20}, {-28, 20}}, fillColor = {215, 215, 215},
          fillPattern = FillPattern.Solid),
        Text(extent = {{-150, 105}, {150, 145}}, textString = "%name", textColor = {0, 0, 200})}));
  end Planetary;

  model Torque "Torque given by a signal"
    Flange flange
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Blocks.RealInput tau "Torque on what is joined to the flange"
      annotation(Placement(transformation(extent = {{-120, -10}, {-100, 10}})));
  equation
    flange.tau = -tau;
    annotation(Icon(graphics = {
        Line(points = {{-60, -10}, {-45, 45}, {0, 60}, {45, 45}, {75, 5}}, smooth = Smooth.Bezier,
          thickness = 0.6, arrow = {Arrow.None, Arrow.Filled}, arrowSize = 4),
        Line(points = {{0, 0}, {100, 0}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end Torque;

  model ConstantTorque "Constant torque"
    Flange flange
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    parameter Units.Torque tau = 1 "Torque on what is joined to the flange";
  equation
    flange.tau = -tau;
    annotation(Icon(graphics = {
        Line(points = {{-60, -10}, {-45, 45}, {0, 60}, {45, 45}, {75, 5}}, smooth = Smooth.Bezier,
          thickness = 0.6, arrow = {Arrow.None, Arrow.Filled}, arrowSize = 4),
        Line(points = {{0, 0}, {100, 0}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200}),
        Text(extent = {{-150, -50}, {150, -10}}, textString = "%tau")}));
  end ConstantTorque;

  model Speed "Rotation whose speed is a signal"
    Flange flange(phi(start = 0, fixed = true))
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Blocks.RealInput w "Speed of the flange"
      annotation(Placement(transformation(extent = {{-120, -10}, {-100, 10}})));
  equation
    der(flange.phi) = w;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-90, -25}, {90, 25}}, radius = 25, lineColor = {60, 60, 60},
          fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
        Text(extent = {{-80, -20}, {80, 20}}, textString = "w"),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end Speed;

  model SpeedSensor "Measures a speed; no torque"
    Flange flange
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Blocks.RealOutput w "Speed of the flange"
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  equation
    w = der(flange.phi);
    flange.tau = 0;
    annotation(Icon(graphics = {
        Ellipse(extent = {{-60, -60}, {60, 60}}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{0, 0}, {25, 40}}, thickness = 0.6),
        Line(points = {{-100, 0}, {-60, 0}}),
        Line(points = {{60, 0}, {100, 0}}),
        Text(extent = {{-40, -45}, {40, -15}}, textString = "w"),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end SpeedSensor;

  model Clutch "Friction between two shafts, pressed together by a signal; it can stick"
    extends Compliant;
    parameter Units.Torque tau_max = 1 "Friction torque at full pressure";
    parameter Real peak(min = 1) = 1 "Largest torque while stuck over that while sliding";
    Blocks.RealInput pressure "Between 0 and 1"
      annotation(Placement(transformation(origin = {0, 110}, extent = {{-10, -10}, {10, 10}},
        rotation = -90)));
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
    annotation(Icon(graphics = {
        Rectangle(extent = {{-100, -10}, {-30, 10}}, lineColor = {90, 95, 105},
          fillColor = {225, 230, 235}, fillPattern = FillPattern.HorizontalCylinder),
        Rectangle(extent = {{30, -10}, {100, 10}}, lineColor = {90, 95, 105},
          fillColor = {225, 230, 235}, fillPattern = FillPattern.HorizontalCylinder),
        Rectangle(extent = DynamicSelect({{-30, -60}, {-10, 60}},
          if mode == 2 then {{-30, -60}, {-10, 60}} else {{-20, -60}, {0, 60}}),
          fillPattern = FillPattern.Solid,
          fillColor = DynamicSelect({235, 235, 235},
            if mode == 0 then {255, 200, 80} elseif mode == 2 then {235, 235, 235} else {255, 150,
            120})),
        Rectangle(extent = DynamicSelect({{10, -60}, {30, 60}},
          if mode == 2 then {{10, -60}, {30, 60}} else {{0, -60}, {20, 60}}),
          fillPattern = FillPattern.Solid,
          fillColor = DynamicSelect({235, 235, 235},
            if mode == 0 then {255, 200, 80} elseif mode == 2 then {235, 235, 235} else {255, 150,
            120})),
        Text(extent = {{-150, -110}, {150, -70}}, textString = "%name", textColor = {0, 0, 200})}));
  end Clutch;

  model Brake "Friction between a shaft and the housing, pressed by a signal; it can stick"
    Flange flange
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Blocks.RealInput pressure "Between 0 and 1"
      annotation(Placement(transformation(origin = {0, 110}, extent = {{-10, -10}, {10, 10}},
        rotation = -90)));
    parameter Units.Torque tau_max = 1 "Friction torque at full pressure";
    parameter Real peak(min = 1) = 1 "Largest torque while stuck over that while sliding";
    Clutch clutch(tau_max = tau_max, peak = peak);
    Fixed housing;
  equation
    connect(flange, clutch.b);
    connect(clutch.a, housing.flange);
    connect(pressure, clutch.pressure);
    annotation(Icon(graphics = {
        Rectangle(extent = {{-100, -10}, {0, 10}}, lineColor = {90, 95, 105},
          fillColor = {225, 230, 235}, fillPattern = FillPattern.HorizontalCylinder),
        Rectangle(extent = {{0, -60}, {20, 60}}, lineColor = {90, 95, 105},
          fillColor = {225, 230, 235}, fillPattern = FillPattern.HorizontalCylinder),
        Rectangle(extent = {{20, -60}, {40, 60}}, fillPattern = FillPattern.Solid,
          fillColor = DynamicSelect({235, 235, 235},
          if clutch.mode == 0 then {255, 200, 80} else {235, 235, 235})),
        Rectangle(extent = {{40, -70}, {70, 70}}, pattern = LinePattern.None,
          lineColor = {130, 130, 130}, fillColor = {240, 240, 240},
          fillPattern = FillPattern.Backward),
        Text(extent = {{-150, -110}, {150, -70}}, textString = "%name", textColor = {0, 0, 200})}));
  end Brake;
end Rotational;
