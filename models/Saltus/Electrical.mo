// SPDX-License-Identifier: MIT
within Saltus;
package Electrical "Circuits"
  connector Pin "Where components meet"
    Units.Voltage v "Potential";
    flow Units.Current i "Current into the component";
    annotation(Icon(graphics = {
        Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {0, 0, 255},
          fillColor = {0, 0, 255}, fillPattern = FillPattern.Solid)}));
  end Pin;

  partial model OnePort "Two pins; the current goes in at p and out at n"
    Pin p "Positive pin"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}}))),
      n "Negative pin"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Units.Voltage v "Voltage from p to n";
    Units.Current i "Current from p to n";
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end OnePort;

  partial model TwoPort "Two pairs of pins"
    Pin p1
      annotation(Placement(transformation(extent = {{-110, 50}, {-90, 70}})));
    Pin n1 "Left side"
      annotation(Placement(transformation(extent = {{-110, -70}, {-90, -50}})));
    Pin p2
      annotation(Placement(transformation(extent = {{90, 50}, {110, 70}})));
    Pin n2 "Right side"
      annotation(Placement(transformation(extent = {{90, -70}, {110, -50}})));
    Units.Voltage v1 "Voltage from p1 to n1", v2 "Voltage from p2 to n2";
    Units.Current i1 "Current from p1 to n1", i2 "Current from p2 to n2";
  equation
    v1 = p1.v - n1.v;
    v2 = p2.v - n2.v;
    i1 = p1.i;
    i2 = p2.i;
    p1.i + n1.i = 0;
    p2.i + n2.i = 0;
  end TwoPort;

  model Ground "Potential zero"
    Pin p
      annotation(Placement(transformation(extent = {{-10, 90}, {10, 110}})));
  equation
    p.v = 0;
    annotation(Icon(graphics = {
        Line(points = {{0, 100}, {0, 30}}),
        Line(points = {{-60, 30}, {60, 30}}, thickness = 0.5),
        Line(points = {{-35, 0}, {35, 0}}, thickness = 0.5),
        Line(points = {{-12, -30}, {12, -30}}, thickness = 0.5)}));
  end Ground;

  // ---- linear -----------------------------------------------------------------------------------

  model Resistor "Ohm's law"
    extends OnePort;
    parameter Units.Resistance R = 1 "Resistance";
  equation
    v = R * i;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-60, -25}, {60, 25}}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-100, 0}, {-60, 0}}),
        Line(points = {{60, 0}, {100, 0}}),
        Text(extent = {{-150, 40}, {150, 80}}, textString = "%name", textColor = {0, 0, 200}),
        Text(extent = {{-150, -75}, {150, -35}}, textString = "R = %R")}));
  end Resistor;

  model Capacitor "Current is capacitance times change of voltage"
    extends OnePort;
    parameter Units.Capacitance C = 1 "Capacitance";
  equation
    C * der(v) = i;
    annotation(Icon(graphics = {
        Line(points = {{-100, 0}, {-10, 0}}),
        Line(points = {{10, 0}, {100, 0}}),
        Line(points = {{-10, -45}, {-10, 45}}, thickness = 0.5),
        Line(points = {{10, -45}, {10, 45}}, thickness = 0.5),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200}),
        Text(extent = {{-150, -95}, {150, -55}}, textString = "C = %C")}));
  end Capacitor;

  model Inductor "Voltage is inductance times change of current"
    extends OnePort;
    parameter Units.Inductance L = 1 "Inductance";
  equation
    L * der(i) = v;
    annotation(Icon(graphics = {
        Ellipse(extent = {{-60, -15}, {-30, 15}}, startAngle = 0, endAngle = 180,
          closure = EllipseClosure.None),
        Ellipse(extent = {{-30, -15}, {0, 15}}, startAngle = 0, endAngle = 180,
          closure = EllipseClosure.None),
        Ellipse(extent = {{0, -15}, {30, 15}}, startAngle = 0, endAngle = 180,
          closure = EllipseClosure.None),
        Ellipse(extent = {{30, -15}, {60, 15}}, startAngle = 0, endAngle = 180,
          closure = EllipseClosure.None),
        Line(points = {{-100, 0}, {-60, 0}}),
        Line(points = {{60, 0}, {100, 0}}),
        Text(extent = {{-150, 30}, {150, 70}}, textString = "%name", textColor = {0, 0, 200}),
        Text(extent = {{-150, -55}, {150, -15}}, textString = "L = %L")}));
  end Inductor;

  model Transformer "Two coils with mutual inductance"
    extends TwoPort;
    parameter Units.Inductance L1 = 1 "Inductance of the left coil";
    parameter Units.Inductance L2 = 1 "Inductance of the right coil";
    parameter Units.Inductance M = 0.9 "Mutual inductance";
  equation
    v1 = L1 * der(i1) + M * der(i2);
    v2 = M * der(i1) + L2 * der(i2);
    annotation(Icon(graphics = {
        Line(points = {{-100, 60}, {-25, 60}}),
        Line(points = {{-100, -60}, {-25, -60}}),
        Line(points = {{100, 60}, {25, 60}}),
        Line(points = {{100, -60}, {25, -60}}),
        Ellipse(extent = {{-40, 30}, {-10, 60}}, startAngle = -90, endAngle = 90, closure = EllipseClosure.None),
        Ellipse(extent = {{-40, 0}, {-10, 30}}, startAngle = -90, endAngle = 90, closure = EllipseClosure.None),
        Ellipse(extent = {{-40, -30}, {-10, 0}}, startAngle = -90, endAngle = 90, closure = EllipseClosure.None),
        Ellipse(extent = {{-40, -60}, {-10, -30}}, startAngle = -90, endAngle = 90, closure = EllipseClosure.None),
        Ellipse(extent = {{10, 30}, {40, 60}}, startAngle = 90, endAngle = 270, closure = EllipseClosure.None),
        Ellipse(extent = {{10, 0}, {40, 30}}, startAngle = 90, endAngle = 270, closure = EllipseClosure.None),
        Ellipse(extent = {{10, -30}, {40, 0}}, startAngle = 90, endAngle = 270, closure = EllipseClosure.None),
        Ellipse(extent = {{10, -60}, {40, -30}}, startAngle = 90, endAngle = 270, closure = EllipseClosure.None),
        Text(extent = {{-150, 105}, {150, 145}}, textString = "%name", textColor = {0, 0, 200})}));
  end Transformer;

  model IdealTransformer "Voltages in the ratio n, no losses, also for direct current"
    extends TwoPort;
    parameter Real n = 1 "v1 / v2";
  equation
    v1 = n * v2;
    i2 = -n * i1;
    annotation(Icon(graphics = {
        Line(points = {{-100, 60}, {-25, 60}}),
        Line(points = {{-100, -60}, {-25, -60}}),
        Line(points = {{100, 60}, {25, 60}}),
        Line(points = {{100, -60}, {25, -60}}),
        Ellipse(extent = {{-40, 30}, {-10, 60}}, startAngle = -90, endAngle = 90, closure = EllipseClosure.None),
        Ellipse(extent = {{-40, 0}, {-10, 30}}, startAngle = -90, endAngle = 90, closure = EllipseClosure.None),
        Ellipse(extent = {{-40, -30}, {-10, 0}}, startAngle = -90, endAngle = 90, closure = EllipseClosure.None),
        Ellipse(extent = {{-40, -60}, {-10, -30}}, startAngle = -90, endAngle = 90, closure = EllipseClosure.None),
        Ellipse(extent = {{10, 30}, {40, 60}}, startAngle = 90, endAngle = 270, closure = EllipseClosure.None),
        Ellipse(extent = {{10, 0}, {40, 30}}, startAngle = 90, endAngle = 270, closure = EllipseClosure.None),
        Ellipse(extent = {{10, -30}, {40, 0}}, startAngle = 90, endAngle = 270, closure = EllipseClosure.None),
        Ellipse(extent = {{10, -60}, {40, -30}}, startAngle = 90, endAngle = 270, closure = EllipseClosure.None),
        Line(points = {{-3, 60}, {-3, -60}}),
        Line(points = {{3, 60}, {3, -60}}),
        Text(extent = {{-100, -105}, {100, -70}}, textString = "n = %n"),
        Text(extent = {{-150, 105}, {150, 145}}, textString = "%name", textColor = {0, 0, 200})}));
  end IdealTransformer;

  model Gyrator "Each side's current follows from the other's voltage"
    extends TwoPort;
    parameter Units.Conductance G = 1 "Gyration conductance";
  equation
    i1 = G * v2;
    i2 = -G * v1;
    annotation(Icon(graphics = {
        Line(points = {{-100, 60}, {-30, 60}}),
        Line(points = {{-100, -60}, {-30, -60}}),
        Line(points = {{100, 60}, {30, 60}}),
        Line(points = {{100, -60}, {30, -60}}),
        Line(points = {{-30, 60}, {-30, -60}}),
        Line(points = {{30, 60}, {30, -60}}),
        Ellipse(extent = {{-60, -30}, {-5, 30}}, startAngle = -90, endAngle = 90,
          closure = EllipseClosure.None),
        Ellipse(extent = {{5, -30}, {60, 30}}, startAngle = 90, endAngle = 270,
          closure = EllipseClosure.None),
        Text(extent = {{-100, -105}, {100, -70}}, textString = "G = %G"),
        Text(extent = {{-150, 105}, {150, 145}}, textString = "%name", textColor = {0, 0, 200})}));
  end Gyrator;

  model OpAmp "Ideal operational amplifier: no input current, no input voltage"
    Pin inP "Input that is not inverted"
      annotation(Placement(transformation(extent = {{-110, -50}, {-90, -30}})));
    Pin inN "Inverted input"
      annotation(Placement(transformation(extent = {{-110, 30}, {-90, 50}})));
    Pin out "Output"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  equation
    inP.v = inN.v;
    inP.i = 0;
    inN.i = 0;
    annotation(Icon(graphics = {
        Polygon(points = {{-70, 80}, {-70, -80}, {70, 0}, {-70, 80}}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-100, 40}, {-70, 40}}),
        Line(points = {{-100, -40}, {-70, -40}}),
        Line(points = {{70, 0}, {100, 0}}),
        Line(points = {{-60, 40}, {-40, 40}}),
        Line(points = {{-60, -40}, {-40, -40}}),
        Line(points = {{-50, -30}, {-50, -50}}),
        Text(extent = {{-30, -20}, {30, 20}}, textString = "∞"),
        Text(extent = {{-150, 105}, {150, 145}}, textString = "%name", textColor = {0, 0, 200})}));
  end OpAmp;

  model LimitedOpAmp "Operational amplifier with finite gain and a limited output"
    Pin inP "Input that is not inverted"
      annotation(Placement(transformation(extent = {{-110, -50}, {-90, -30}})));
    Pin inN "Inverted input"
      annotation(Placement(transformation(extent = {{-110, 30}, {-90, 50}})));
    Pin out "Output"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    parameter Real gain = 1e5 "Open-loop gain";
    parameter Units.Voltage Vmax = 15 "Largest output";
    parameter Units.Voltage Vmin = -Vmax "Smallest output";
  protected
    Units.Voltage v "Output without the limits";
  equation
    v = gain * (inP.v - inN.v);
    out.v = smooth(0, if v > Vmax then Vmax elseif v < Vmin then Vmin else v);
    inP.i = 0;
    inN.i = 0;
    annotation(Icon(graphics = {
        Polygon(points = {{-70, 80}, {-70, -80}, {70, 0}, {-70, 80}}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-100, 40}, {-70, 40}}),
        Line(points = {{-100, -40}, {-70, -40}}),
        Line(points = {{70, 0}, {100, 0}}),
        Line(points = {{-60, 40}, {-40, 40}}),
        Line(points = {{-60, -40}, {-40, -40}}),
        Line(points = {{-50, -30}, {-50, -50}}),
        Line(points = {{-35, -15}, {-20, -15}, {5, 15}, {20, 15}}),
        Text(extent = {{-150, 105}, {150, 145}}, textString = "%name", textColor = {0, 0, 200})}));
  end LimitedOpAmp;

  // ---- sources ----------------------------------------------------------------------------------

  model ConstantVoltage "Battery without inner resistance"
    extends OnePort;
    parameter Units.Voltage V = 1 "Voltage";
  equation
    v = V;
    annotation(Icon(graphics = {
        Ellipse(extent = {{-50, -50}, {50, 50}}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-100, 0}, {-50, 0}}),
        Line(points = {{50, 0}, {100, 0}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200}),
        Line(points = {{-50, 0}, {50, 0}}),
        Text(extent = {{-100, 5}, {-55, 45}}, textString = "+"),
        Text(extent = {{-150, -95}, {150, -55}}, textString = "%V")}));
  end ConstantVoltage;

  model SignalVoltage "Voltage given by a signal"
    extends OnePort;
    Blocks.RealInput u "Voltage from p to n"
      annotation(Placement(transformation(origin = {0, -70}, extent = {{-10, -10}, {10, 10}},
        rotation = 90)));
  equation
    v = u;
    annotation(Icon(graphics = {
        Ellipse(extent = {{-50, -50}, {50, 50}}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-100, 0}, {-50, 0}}),
        Line(points = {{50, 0}, {100, 0}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200}),
        Line(points = {{-50, 0}, {50, 0}}),
        Text(extent = {{-100, 5}, {-55, 45}}, textString = "+")}));
  end SignalVoltage;

  model StepVoltage "Voltage that jumps once"
    extends OnePort;
    parameter Units.Voltage V = 1 "Size of the step";
    parameter Units.Voltage offset = 0 "Voltage before";
    parameter Units.Time startTime = 0 "Instant of the step";
  equation
    v = offset + (if time < startTime then 0 else V);
    annotation(Icon(graphics = {
        Ellipse(extent = {{-50, -50}, {50, 50}}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-100, 0}, {-50, 0}}),
        Line(points = {{50, 0}, {100, 0}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200}),
        Line(points = {{-30, -20}, {0, -20}, {0, 20}, {30, 20}}),
        Text(extent = {{-100, 5}, {-55, 45}}, textString = "+"),
        Text(extent = {{-150, -95}, {150, -55}}, textString = "%V")}));
  end StepVoltage;

  model SineVoltage "Alternating voltage"
    extends OnePort;
    parameter Units.Voltage V = 1 "Amplitude";
    parameter Units.Frequency f = 50 "Frequency";
    parameter Units.Angle phase = 0 "Phase at time 0";
    parameter Units.Voltage offset = 0 "Mean value";
  protected
    constant Real pi = 3.14159265358979323846;
  equation
    v = offset + V * sin(2 * pi * f * time + phase);
    annotation(Icon(graphics = {
        Ellipse(extent = {{-50, -50}, {50, 50}}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-100, 0}, {-50, 0}}),
        Line(points = {{50, 0}, {100, 0}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200}),
        Line(points = {{-35, 0}, {-18, 35}, {0, 0}, {18, -35}, {35, 0}}, smooth = Smooth.Bezier),
        Text(extent = {{-100, 5}, {-55, 45}}, textString = "+"),
        Text(extent = {{-150, -95}, {150, -55}}, textString = "%V, %f")}));
  end SineVoltage;

  model ConstantCurrent "Source of a constant current from p to n"
    extends OnePort;
    parameter Units.Current I = 1 "Current";
  equation
    i = I;
    annotation(Icon(graphics = {
        Ellipse(extent = {{-50, -50}, {50, 50}}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-100, 0}, {-50, 0}}),
        Line(points = {{50, 0}, {100, 0}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200}),
        Line(points = {{0, -50}, {0, 50}}),
        Text(extent = {{-150, -95}, {150, -55}}, textString = "%I")}));
  end ConstantCurrent;

  model SignalCurrent "Current given by a signal"
    extends OnePort;
    Blocks.RealInput u "Current from p to n"
      annotation(Placement(transformation(origin = {0, -70}, extent = {{-10, -10}, {10, 10}},
        rotation = 90)));
  equation
    i = u;
    annotation(Icon(graphics = {
        Ellipse(extent = {{-50, -50}, {50, 50}}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-100, 0}, {-50, 0}}),
        Line(points = {{50, 0}, {100, 0}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200}),
        Line(points = {{0, -50}, {0, 50}})}));
  end SignalCurrent;

  // ---- sensors ----------------------------------------------------------------------------------

  model VoltageSensor "Measures a voltage; no current flows"
    extends OnePort;
    Blocks.RealOutput y "Voltage from p to n"
      annotation(Placement(transformation(origin = {0, -60}, extent = {{-10, -10}, {10, 10}},
        rotation = -90)));
  equation
    i = 0;
    y = v;
    annotation(Icon(graphics = {
        Ellipse(extent = {{-50, -50}, {50, 50}}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-100, 0}, {-50, 0}}),
        Line(points = {{50, 0}, {100, 0}}),
        Text(extent = {{-30, -25}, {30, 25}}, textString = "V"),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end VoltageSensor;

  model CurrentSensor "Measures a current; no voltage drops"
    extends OnePort;
    Blocks.RealOutput y "Current from p to n"
      annotation(Placement(transformation(origin = {0, -60}, extent = {{-10, -10}, {10, 10}},
        rotation = -90)));
  equation
    v = 0;
    y = i;
    annotation(Icon(graphics = {
        Ellipse(extent = {{-50, -50}, {50, 50}}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-100, 0}, {-50, 0}}),
        Line(points = {{50, 0}, {100, 0}}),
        Text(extent = {{-30, -25}, {30, 25}}, textString = "A"),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end CurrentSensor;

  // ---- switching --------------------------------------------------------------------------------

  partial model Switching "A curve of two straight lines, along which s is the coordinate"
    extends OnePort;
    parameter Units.Resistance Ron(min = 0) = 1e-5 "Resistance while it conducts";
    parameter Units.Conductance Goff(min = 0) = 1e-5 "Conductance while it does not";
    Boolean off(start = true) "Whether it does not conduct";
  protected
    Real s(start = 0) "Current while it conducts, voltage while it does not";
  equation
    v = s * (if off then 1 else Ron);
    i = s * (if off then Goff else 1);
  end Switching;

  model IdealDiode "Conducts in one direction"
    extends Switching;
  equation
    off = s < 0;
    annotation(Icon(graphics = {
        Line(points = {{-100, 0}, {100, 0}}),
        Polygon(points = {{-35, -40}, {-35, 40}, {35, 0}}, fillPattern = FillPattern.Solid,
          fillColor = DynamicSelect({255, 255, 255},
          if off then {255, 255, 255} else {255, 190, 0})),
        Line(points = {{35, -40}, {35, 40}}, thickness = 0.5),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end IdealDiode;

  model Switch "Conducts while its input is true"
    extends Switching;
    Blocks.BooleanInput closed "Whether it conducts"
      annotation(Placement(transformation(origin = {0, 110}, extent = {{-10, -10}, {10, 10}},
        rotation = -90)));
  equation
    off = not closed;
    annotation(Icon(graphics = {
        Line(points = {{-100, 0}, {-40, 0}}),
        Line(points = {{40, 0}, {100, 0}}),
        Ellipse(extent = {{-46, -6}, {-34, 6}}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = DynamicSelect({{-35, 5}, {35, 45}},
          if off then {{-35, 5}, {35, 45}} else {{-34, 0}, {40, 0}}), thickness = 0.5),
        Text(extent = {{-150, -60}, {150, -20}}, textString = "%name", textColor = {0, 0, 200})}));
  end Switch;

  model Thyristor "Conducts in one direction from the moment it is fired until the current ends"
    extends Switching;
    Blocks.BooleanInput fire "Fires while true"
      annotation(Placement(transformation(origin = {0, 110}, extent = {{-10, -10}, {10, 10}},
        rotation = -90)));
  equation
    off = s < 0 or pre(off) and not fire;
    annotation(Icon(graphics = {
        Line(points = {{-100, 0}, {100, 0}}),
        Polygon(points = {{-35, -40}, {-35, 40}, {35, 0}}, fillPattern = FillPattern.Solid,
          fillColor = DynamicSelect({255, 255, 255},
          if off then {255, 255, 255} else {255, 190, 0})),
        Line(points = {{35, -40}, {35, 40}}, thickness = 0.5),
        Line(points = {{35, 0}, {60, 40}}),
        Text(extent = {{-150, -90}, {150, -50}}, textString = "%name", textColor = {0, 0, 200})}));
  end Thyristor;

  model ShockleyDiode "Exponential law, continued as a straight line where it would overflow"
    extends OnePort;
    parameter Units.Current Is = 1e-9 "Saturation current";
    parameter Units.Voltage Vt = 0.025 "Thermal voltage, times the emission coefficient";
    parameter Real limit = 40 "The straight line begins at limit Vt";
  protected
    Real x = v / Vt;
  equation
    i = Is * (smooth(1, noEvent(if x > limit then exp(limit) * (1 + x - limit) else exp(x))) - 1);
    annotation(Icon(graphics = {
        Line(points = {{-100, 0}, {100, 0}}),
        Polygon(points = {{-35, -40}, {-35, 40}, {35, 0}}, fillPattern = FillPattern.Solid,
          fillColor = DynamicSelect({255, 255, 255},
          if v > 0 then {255, 190, 0} else {255, 255, 255})),
        Line(points = {{35, -40}, {35, 40}}, thickness = 0.5),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end ShockleyDiode;

  model NPN "Bipolar transistor by Ebers and Moll"
    Pin C "Collector"
      annotation(Placement(transformation(extent = {{90, 40}, {110, 60}}))),
      B "Base"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}}))),
      E "Emitter"
      annotation(Placement(transformation(extent = {{90, -60}, {110, -40}})));
    parameter Units.Current Is = 1e-14 "Saturation current";
    parameter Units.Voltage Vt = 0.025 "Thermal voltage";
    parameter Real betaF = 100 "Forward current gain";
    parameter Real betaR = 1 "Reverse current gain";
    parameter Real limit = 40 "The exponentials are straight lines from limit Vt on";
  protected
    Real xf = (B.v - E.v) / Vt, xr = (B.v - C.v) / Vt;
    Units.Current iF "Current of the junction of the emitter";
    Units.Current iR "Current of the junction of the collector";
  equation
    iF = Is * (smooth(1, noEvent(if xf > limit then exp(limit) * (1 + xf - limit) else exp(xf)))
               - 1);
    iR = Is * (smooth(1, noEvent(if xr > limit then exp(limit) * (1 + xr - limit) else exp(xr)))
               - 1);
    B.i = iF / betaF + iR / betaR;
    C.i = iF - iR * (1 + 1 / betaR);
    E.i = -(B.i + C.i);
    annotation(Icon(graphics = {
        Ellipse(extent = {{-70, -70}, {70, 70}}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-100, 0}, {-30, 0}}),
        Line(points = {{-30, -40}, {-30, 40}}, thickness = 0.6),
        Line(points = {{-30, 15}, {30, 50}, {100, 50}}),
        Line(points = {{-30, -15}, {30, -50}}, arrow = {Arrow.None, Arrow.Filled}, arrowSize = 2),
        Line(points = {{30, -50}, {100, -50}}),
        Text(extent = {{-150, 105}, {150, 145}}, textString = "%name", textColor = {0, 0, 200})}));
  end NPN;

  // ---- to other domains -------------------------------------------------------------------------

  model Motor "Converts between electrical and mechanical power without losses"
    extends OnePort;
    parameter Real k(unit = "N.m/A") = 1 "Torque per current, and voltage per speed";
    Rotational.Flange flange "Shaft
      annotation(Placement(transformation(extent = {{-10, -110}, {10,
        -90}}))); its bearing is fixed";
    Units.AngularVelocity w "Speed of the shaft";
  equation
    w = der(flange.phi);
    v = k * w;
    flange.tau = -k * i;
    annotation(Icon(graphics = {
        Ellipse(extent = {{-60, -60}, {60, 60}}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-100, 0}, {-60, 0}}),
        Line(points = {{60, 0}, {100, 0}}),
        Text(extent = {{-30, -25}, {30, 25}}, textString = "M"),
        Rectangle(extent = {{-8, -100}, {8, -60}}, lineColor = {90, 95, 105},
          fillColor = {225, 230, 235}, fillPattern = FillPattern.HorizontalCylinder),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end Motor;

  model HeatingResistor "Its resistance depends on its temperature; it gives off its power"
    extends OnePort;
    parameter Units.Resistance R = 1 "Resistance at the reference temperature";
    parameter Units.Temperature T0 = 293.15 "Reference temperature";
    parameter Real alpha(unit = "1/K") = 0 "Temperature coefficient";
    Thermal.HeatPort port annotation(Placement(transformation(extent = {{-10, -110}, {10, -90}})));
  equation
    v = R * (1 + alpha * (port.T - T0)) * i;
    port.Q = -v * i;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-60, -25}, {60, 25}}, fillColor = {255, 255, 255},
          fillPattern = FillPattern.Solid),
        Line(points = {{-100, 0}, {-60, 0}}),
        Line(points = {{60, 0}, {100, 0}}),
        Line(points = {{0, -100}, {0, -25}}, color = {190, 0, 0}),
        Line(points = {{-50, -45}, {50, 45}}, color = {190, 0, 0}),
        Text(extent = {{-150, 50}, {150, 90}}, textString = "%name", textColor = {0, 0, 200}),
        Text(extent = {{10, -75}, {150, -35}}, textString = "R = %R")}));
  end HeatingResistor;
end Electrical;
