package Circuit "Case study 2 of ARGESIM benchmark C21: RLC circuit with a diode"

  type Voltage = Real(unit = "V");
  type Current = Real(unit = "A");
  type Resistance = Real(unit = "Ohm");

  type Orientation = enumeration(
      up "the diode points to the upper node: (25) to (27), (35), (38)",
      down "it points to the lower node: (24) and the event function (30)");

  partial model RLC "Source, R1 and L in series, then R2 and C; the diode is parallel to these"
    inner parameter Resistance R1 = 1e3, R2 = 20;
    inner parameter Real L(unit = "H") = 25.3e-6;
    inner parameter Real C(unit = "F") = 100e-9;
    parameter Real f(unit = "Hz") = 0.15e6;
    parameter Orientation orientation = Orientation.up;
    inner parameter Real s = if orientation == Orientation.up then -1 else 1;
    constant Real pi = 3.14159265358979323846;
    inner Current i(start = 0, fixed = true, nominal = 1e-3) "through R1 and L";
    inner Voltage u_C(start = 0, fixed = true, nominal = 1e-2);
    parameter Voltage U = 1 "amplitude";
    inner Voltage u_0 = -U * sin(2 * pi * f * time);
    inner Voltage u_D(nominal = 1e-2);
    inner Current i_D(nominal = 1e-3);
    inner Voltage h(nominal = 1e-2) = s * (R2 * i + u_C) "what the diode decides by";
    annotation(experiment(StopTime = 500e-6),
      Diagram(coordinateSystem(extent = {{-100, -80}, {130, 80}}), graphics = {
          Line(points = {{-80, -60}, {-80, 60}, {70, 60}, {70, -60}, {-80, -60}}),
          Line(points = {{20, 60}, {20, -60}}, thickness = DynamicSelect(0.25,
              if i_D > 0 then 0.8 else 0.25), color = DynamicSelect({0, 0, 0},
              if i_D > 0 then {220, 120, 0} else {0, 0, 0})),
          Ellipse(extent = {{-94, -14}, {-66, 14}}, fillColor = {255, 255, 255},
            fillPattern = FillPattern.Solid),
          Line(points = {{-90, 0}, {-85, 7}, {-80, 0}, {-75, -7}, {-70, 0}}, smooth = Smooth.Bezier),
          Rectangle(extent = {{-60, 53}, {-34, 67}}, fillColor = {255, 255, 255},
            fillPattern = FillPattern.Solid),
          Rectangle(extent = {{-20, 54}, {6, 66}}, pattern = LinePattern.None,
            fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
          Ellipse(extent = {{-20, 53}, {-7, 66}}, startAngle = 0, endAngle = 180,
            closure = EllipseClosure.None),
          Ellipse(extent = {{-7, 53}, {6, 66}}, startAngle = 0, endAngle = 180,
            closure = EllipseClosure.None),
          Rectangle(extent = {{62, 16}, {78, 44}}, fillColor = {255, 255, 255},
            fillPattern = FillPattern.Solid),
          Rectangle(extent = {{56, -30}, {84, -22}}, pattern = LinePattern.None,
            fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
          Line(points = {{56, -22}, {84, -22}}, thickness = 0.6),
          Line(points = {{56, -30}, {84, -30}}, thickness = 0.6),
          Polygon(points = if orientation == Orientation.up
              then {{8, -10}, {32, -10}, {20, 12}} else {{8, 12}, {32, 12}, {20, -10}},
            fillColor = DynamicSelect({255, 255, 255},
              if i_D > 0 then {255, 190, 0} else {255, 255, 255}),
            fillPattern = FillPattern.Solid, lineThickness = 0.5),
          Line(points = if orientation == Orientation.up then {{8, 12}, {32, 12}}
              else {{8, -10}, {32, -10}}, thickness = 0.6),
          Text(extent = {{-66, 68}, {-28, 78}}, fontSize = 16, textString = "R1 = %R1"),
          Text(extent = {{-26, 68}, {30, 78}}, fontSize = 16, textString = "L = %L"),
          Text(extent = {{83, 25}, {130, 35}}, fontSize = 16,
            horizontalAlignment = TextAlignment.Left, textString = "R2 = %R2"),
          Text(extent = {{89, -31}, {130, -21}}, fontSize = 16,
            horizontalAlignment = TextAlignment.Left, textString = "C = %C"),
          Text(extent = {{-61, -5}, {-17, 5}}, fontSize = 16,
            horizontalAlignment = TextAlignment.Left,
            textString = DynamicSelect("u_0", "u_0 = " + String(u_0, format = ".2f") + " V")),
          Text(extent = {{-64, 36}, {14, 46}}, fontSize = 16,
            horizontalAlignment = TextAlignment.Left,
            textString = DynamicSelect("i", "i = " + String(1e3 * i, format = ".3f") + " mA")),
          Text(extent = {{-24, -30}, {14, -20}}, fontSize = 16, textColor = {220, 120, 0},
            visible = DynamicSelect(false, i_D > 0), textString = "conducts")}));
  end RLC;

  partial model WithDiode "The circuit with any diode, (25) to (28)"
    extends RLC;
  equation
    L * der(i) = u_0 - R1 * i - R2 * (i - s * i_D) - u_C;
    C * der(u_C) = i - s * i_D;
    u_D = s * (R2 * (i - s * i_D) + u_C);
  end WithDiode;

  // ---- Shortcut: the diode is an ideal switch ---------------------------------

  model Shortcut "Switching parts: no voltage while conducting, no current while locking, (32)"
    extends WithDiode;
    Boolean conducting = h > 0;
  equation
    if conducting then
      u_D = 0;
    else
      i_D = 0;
    end if;
    annotation(experiment(StopTime = 500e-6));
  end Shortcut;

  model ShortcutMatrix "Switching parts: events change parameters of the state matrix (SE-P)"
    extends RLC;
    discrete Real coupled(start = 1, fixed = true) "1: R2 and C are part of the circuit";
    Real A11 = -(R1 + coupled * R2) / L, A12 = -coupled / L;
    Real A21 = coupled / C, A22 = -(1 - coupled) / (R2 * C);
  equation
    der(i) = A11 * i + A12 * u_C + u_0 / L;
    der(u_C) = A21 * i + A22 * u_C;
    u_D = coupled * h;
    i_D = (1 - coupled) * h / R2;
    when h > 0 then
      coupled = 0;
    elsewhen h <= 0 then
      coupled = 1;
    end when;
    annotation(experiment(StopTime = 500e-6));
  end ShortcutMatrix;

  partial model Phase "What a phase of the circuit sees and computes"
    outer parameter Resistance R1, R2;
    outer parameter Real L, C, s;
    outer Voltage u_0, h;
    outer output Current i, i_D;
    outer output Voltage u_C, u_D;
  end Phase;

  model Locking "The RLC circuit alone"
    extends Phase;
  equation
    L * der(i) = u_0 - (R1 + R2) * i - u_C;
    C * der(u_C) = i;
    u_D = h;
    i_D = 0;
  end Locking;

  model ShortcutConducting "Two circuits that do not know of each other, (33)"
    extends Phase;
  equation
    L * der(i) = u_0 - R1 * i;
    C * der(u_C) = -u_C / R2;
    u_D = 0;
    i_D = h / R2;
  end ShortcutConducting;

  model ShortcutDecomposed "Hybrid decomposition: two models and a state machine"
    extends RLC;
    Locking locking;
    ShortcutConducting conducting;
  equation
    initialState(locking);
    transition(locking, conducting, h > 0, reset = false);
    transition(conducting, locking, h <= 0, reset = false);
    annotation(experiment(StopTime = 500e-6));
  end ShortcutDecomposed;

  model ShortcutMaximal "Maximal state space: both phases have their states, one is frozen"
    extends RLC(i(fixed = false), u_C(fixed = false));
    Current iL(start = 0, fixed = true, nominal = 1e-3), iC(start = 0, fixed = true, nominal = 1e-3);
    Voltage uL(start = 0, fixed = true, nominal = 1e-2), uC(start = 0, fixed = true, nominal = 1e-2);
    Voltage hL(nominal = 1e-2) = s * (R2 * iL + uL), hC(nominal = 1e-2) = s * (R2 * iC + uC);
    Boolean conducting(start = false, fixed = true);
  equation
    i = if conducting then iC else iL;
    u_C = if conducting then uC else uL;
    L * der(iL) = if conducting then 0 else u_0 - (R1 + R2) * iL - uL;
    C * der(uL) = if conducting then 0 else iL;
    L * der(iC) = if conducting then u_0 - R1 * iC else 0;
    C * der(uC) = if conducting then -uC / R2 else 0;
    u_D = if conducting then 0 else h;
    i_D = if conducting then h / R2 else 0;
    when hL > 0 then
      conducting = true;
      reinit(iC, pre(iL));
      reinit(uC, pre(uL));
    elsewhen hC <= 0 then
      conducting = false;
      reinit(iL, pre(iC));
      reinit(uL, pre(uC));
    end when;
    annotation(experiment(StopTime = 500e-6));
  end ShortcutMaximal;

  // ---- Shockley's law -----------------------------------------------------------

  partial model Exponential
    inner parameter Current I_S = 1e-8;
    inner parameter Voltage U_T = 26e-3;
  end Exponential;

  model Shockley "Switching parts, the voltage of the diode as algebraic state, (34) and (35)"
    extends WithDiode;
    extends Exponential;
    Boolean conducting = h > 0;
  equation
    i_D = if conducting then I_S * (exp(u_D / U_T) - 1) else 0;
    annotation(experiment(StopTime = 500e-6));
  end Shockley;

  model ShockleyCurrent "The same with the current of the diode as algebraic state, (36)"
    extends RLC;
    extends Exponential;
    Boolean conducting = h > 0;
  equation
    L * der(i) = u_0 - R1 * i - R2 * (i - s * i_D) - u_C;
    C * der(u_C) = i - s * i_D;
    R2 * i_D + (if conducting then U_T * log(1 + i_D / I_S) else 0) =
      if conducting then h else 0;
    u_D = h - R2 * i_D;
    annotation(experiment(StopTime = 500e-6));
  end ShockleyCurrent;

  model ShockleyConducting "Two differential states, one algebraic"
    extends Phase;
    outer parameter Current I_S;
    outer parameter Voltage U_T;
  equation
    L * der(i) = u_0 - R1 * i - R2 * (i - s * i_D) - u_C;
    C * der(u_C) = i - s * i_D;
    i_D = I_S * (exp(u_D / U_T) - 1);
    u_D = h - R2 * i_D;
  end ShockleyConducting;

  model ShockleyDecomposed "Hybrid decomposition"
    extends RLC;
    extends Exponential;
    Locking locking;
    ShockleyConducting conducting;
  equation
    initialState(locking);
    transition(locking, conducting, h > 0, reset = false);
    transition(conducting, locking, h <= 0, reset = false);
    annotation(experiment(StopTime = 500e-6));
  end ShockleyDecomposed;

  model ShockleyMaximal "Maximal state space: also the algebraic state has two forms, one is idle"
    extends RLC(i(fixed = false), u_C(fixed = false));
    extends Exponential;
    Current iL(start = 0, fixed = true, nominal = 1e-3), iC(start = 0, fixed = true, nominal = 1e-3);
    Voltage uL(start = 0, fixed = true, nominal = 1e-2), uC(start = 0, fixed = true, nominal = 1e-2);
    Voltage hL(nominal = 1e-2) = s * (R2 * iL + uL), hC(nominal = 1e-2) = s * (R2 * iC + uC);
    Voltage z(nominal = 1e-2) "voltage of the diode by Shockley's law";
    Current j(nominal = 1e-3) "its current";
    Boolean conducting(start = false, fixed = true);
  equation
    i = if conducting then iC else iL;
    u_C = if conducting then uC else uL;
    L * der(iL) = if conducting then 0 else u_0 - (R1 + R2) * iL - uL;
    C * der(uL) = if conducting then 0 else iL;
    L * der(iC) = if conducting then u_0 - R1 * iC - R2 * (iC - s * j) - uC else 0;
    C * der(uC) = if conducting then iC - s * j else 0;
    j = I_S * (exp(z / U_T) - 1);
    R2 * j + z = hC;
    u_D = if conducting then z else h;
    i_D = if conducting then j else 0;
    when hL > 0 then
      conducting = true;
      reinit(iC, pre(iL));
      reinit(uC, pre(uL));
    elsewhen hC <= 0 then
      conducting = false;
      reinit(iL, pre(iC));
      reinit(uL, pre(uC));
    end when;
    annotation(experiment(StopTime = 500e-6));
  end ShockleyMaximal;

  // ---- Shockley's law without an algebraic equation -------------------------------

  model Interpolated "Shockley's law interpolated linearly between N points, (37)"
    extends RLC;
    extends Exponential;
    parameter Integer N = 5 "number of points";
    parameter Voltage u_max = if R1 > 100 then 0.0384 else 0.385 "the last of them";
    // The points, and where they lie on the axis of h = u_D + R2 i_D.
    parameter Voltage u[N] = {u_max * (j - 1) / (N - 1) for j in 1:N};
    parameter Current k[N] = {I_S * (exp(u[j] / U_T) - 1) for j in 1:N};
    parameter Voltage b[N] = u + R2 * k;
    parameter Real slope[N - 1](each unit = "S") = {(k[j + 1] - k[j]) / (b[j + 1] - b[j]) for j in 1:N - 1};
    // The current as a sum of kinks, one at the beginning of each chord.
    Current kink[N - 1] =
      {if h > b[j] then (slope[j] - (if j > 1 then slope[max(j - 1, 1)] else 0)) * (h - b[j]) else 0
       for j in 1:N - 1};
  equation
    L * der(i) = u_0 - R1 * i - R2 * (i - s * i_D) - u_C;
    C * der(u_C) = i - s * i_D;
    i_D = sum(kink);
    u_D = h - R2 * i_D;
    annotation(experiment(StopTime = 500e-6));
  end Interpolated;

  model ExplicitConducting "Shockley's law differentiated: three states, (38)"
    extends Phase;
    outer parameter Current I_S;
    outer parameter Voltage U_T;
  equation
    L * der(i) = u_0 - R1 * i - R2 * (i - s * i_D) - u_C;
    C * der(u_C) = i - s * i_D;
    i_D = I_S * (exp(u_D / U_T) - 1);
    der(u_D) = s * (der(u_C) + R2 * der(i)) / (1 + I_S * R2 / U_T * exp(u_D / U_T));
  end ExplicitConducting;

  model Explicit "Two states while locking, three while conducting; no algebraic equation"
    extends RLC;
    extends Exponential;
    Locking locking;
    ExplicitConducting conducting;
  equation
    initialState(locking);
    transition(locking, conducting, h > 0, reset = false);
    transition(conducting, locking, h <= 0, reset = false);
    when activeState(conducting) then
      reinit(u_D, 0);
    end when;
    annotation(experiment(StopTime = 500e-6));
  end Explicit;

  // ---- The same circuits from components -----------------------------------------

  package Components "Electrical components, as few as the circuit needs"
    connector Pin
      Voltage v;
      flow Current i;
      annotation(Icon(graphics = {
          Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {0, 0, 255},
            fillColor = {0, 0, 255}, fillPattern = FillPattern.Solid)}));
    end Pin;

    partial model TwoPin "Two pins, the current from p to n"
      Pin p
        annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}}))),
        n
        annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
      Voltage v(nominal = 1e-2);
      Current i(nominal = 1e-3);
    equation
      v = p.v - n.v;
      i = p.i;
      p.i + n.i = 0;
    end TwoPin;

    model Resistor
      extends TwoPin;
      parameter Resistance R;
    equation
      v = R * i;
      annotation(Icon(graphics = {
          Rectangle(extent = {{-60, -25}, {60, 25}}, fillColor = {255, 255, 255},
            fillPattern = FillPattern.Solid),
          Line(points = {{-100, 0}, {-60, 0}}),
          Line(points = {{60, 0}, {100, 0}}),
          Text(extent = {{-150, 35}, {150, 75}}, textString = "%name", textColor = {0, 0, 200}),
          Text(extent = {{-150, -75}, {150, -35}}, textString = "%R")}));
    end Resistor;

    model Inductor
      extends TwoPin(i(start = 0, fixed = true));
      parameter Real L(unit = "H");
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
          Text(extent = {{-150, -60}, {150, -20}}, textString = "%L")}));
    end Inductor;

    model Capacitor
      extends TwoPin(v(start = 0, fixed = true));
      parameter Real C(unit = "F");
    equation
      C * der(v) = i;
      annotation(Icon(graphics = {
          Line(points = {{-100, 0}, {-10, 0}}),
          Line(points = {{10, 0}, {100, 0}}),
          Line(points = {{-10, -45}, {-10, 45}}, thickness = 0.5),
          Line(points = {{10, -45}, {10, 45}}, thickness = 0.5),
          Text(extent = {{-150, 55}, {150, 95}}, textString = "%name", textColor = {0, 0, 200}),
          Text(extent = {{-150, -95}, {150, -55}}, textString = "%C")}));
    end Capacitor;

    model Source
      extends TwoPin;
      parameter Voltage U;
      parameter Real f(unit = "Hz");
      constant Real pi = 3.14159265358979323846;
    equation
      v = -U * sin(2 * pi * f * time);
      annotation(Icon(graphics = {
          Ellipse(extent = {{-50, -50}, {50, 50}}, fillColor = {255, 255, 255},
            fillPattern = FillPattern.Solid),
          Line(points = {{-100, 0}, {-50, 0}}),
          Line(points = {{50, 0}, {100, 0}}),
          Line(points = {{-35, 0}, {-18, 35}, {0, 0}, {18, -35}, {35, 0}}, smooth = Smooth.Bezier),
          Text(extent = {{-150, 60}, {150, 100}}, textString = "%name", textColor = {0, 0, 200}),
          Text(extent = {{-150, -100}, {150, -60}}, textString = "%U, %f")}));
    end Source;

    model Ground
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

    partial model Diode
      extends TwoPin;
      Boolean conducting(start = false);
      annotation(Icon(graphics = {
          Line(points = {{-100, 0}, {100, 0}},
            color = DynamicSelect({0, 0, 0}, if conducting then {220, 120, 0} else {0, 0, 0}),
            thickness = DynamicSelect(0.25, if conducting then 0.8 else 0.25)),
          Polygon(points = {{-35, -40}, {-35, 40}, {35, 0}}, fillPattern = FillPattern.Solid,
            fillColor = DynamicSelect({255, 255, 255},
              if conducting then {255, 190, 0} else {255, 255, 255})),
          Line(points = {{35, -40}, {35, 40}}, thickness = 0.5),
          Text(extent = {{-150, 50}, {150, 90}}, textString = "%name", textColor = {0, 0, 200})}));
    end Diode;

    model IdealDiode "A shortcut or an interruption"
      extends Diode;
    equation
      conducting = if pre(conducting) then i > 0 else v > 0;
      if conducting then
        v = 0;
      else
        i = 0;
      end if;
    end IdealDiode;

    model ShockleyDiode
      extends Diode;
      parameter Current I_S;
      parameter Voltage U_T;
    equation
      conducting = v > 0;
      i = if conducting then I_S * (exp(v / U_T) - 1) else 0;
    end ShockleyDiode;
  end Components;

  partial model FromComponents "The diode points to the upper node"
    parameter Resistance R1 = 1e3, R2 = 20;
    parameter Real L(unit = "H") = 25.3e-6, C(unit = "F") = 100e-9, f(unit = "Hz") = 0.15e6;
    Components.Source source(U = 1, f = f)
      annotation(Placement(transformation(origin = {-80, 0}, extent = {{-20, -20}, {20, 20}},
        rotation = -90)));
    Components.Resistor r1(R = R1)
      annotation(Placement(transformation(extent = {{-70, 40}, {-30, 80}}))),
      r2(R = R2)
      annotation(Placement(transformation(origin = {80, 30}, extent = {{-20, -20}, {20, 20}},
        rotation = -90)));
    Components.Inductor inductor(L = L)
      annotation(Placement(transformation(extent = {{-20, 40}, {20, 80}})));
    Components.Capacitor capacitor(C = C)
      annotation(Placement(transformation(origin = {80, -20}, extent = {{-20, -20}, {20, 20}},
        rotation = -90)));
    Components.Ground ground
      annotation(Placement(transformation(extent = {{-90, -90}, {-70, -70}})));
    replaceable Components.Diode diode
      annotation(Placement(transformation(origin = {40, 0}, extent = {{-20, -20}, {20, 20}},
        rotation = 90)));
  equation
    connect(source.p, r1.p)
      annotation(Line(points = {{-80, 20}, {-80, 60}, {-70, 60}}, color = {0, 0, 255}));
    connect(r1.n, inductor.p)
      annotation(Line(points = {{-30, 60}, {-20, 60}}, color = {0, 0, 255}));
    connect(inductor.n, r2.p)
      annotation(Line(points = {{20, 60}, {80, 60}, {80, 50}}, color = {0, 0, 255}));
    connect(r2.n, capacitor.p)
      annotation(Line(points = {{80, 10}, {80, 0}}, color = {0, 0, 255}));
    connect(capacitor.n, source.n)
      annotation(Line(points = {{80, -40}, {80, -60}, {-80, -60}, {-80, -20}}, color = {0, 0, 255}));
    connect(diode.n, r2.p)
      annotation(Line(points = {{40, 20}, {40, 60}, {80, 60}, {80, 50}}, color = {0, 0, 255}));
    connect(diode.p, source.n)
      annotation(Line(points = {{40, -20}, {40, -60}, {-80, -60}, {-80, -20}}, color = {0, 0, 255}));
    connect(ground.p, source.n)
      annotation(Line(points = {{-80, -70}, {-80, -20}}, color = {0, 0, 255}));
    annotation(experiment(StopTime = 500e-6));
  end FromComponents;

  model ShortcutComponents "Physical modelling: the ideal diode"
    extends FromComponents(redeclare Components.IdealDiode diode);
    annotation(experiment(StopTime = 500e-6));
  end ShortcutComponents;

  model ShockleyComponents "Physical modelling: Shockley's law"
    extends FromComponents(redeclare Components.ShockleyDiode diode(I_S = 1e-8, U_T = 26e-3));
    annotation(experiment(StopTime = 500e-6));
  end ShockleyComponents;

  // ---- The signs as printed ---------------------------------------------------------

  model PrintedSigns "(25) to (28) with (34) as printed: the diode delivers power"
    extends RLC(orientation = Orientation.down);
    extends Exponential;
    // u_D - R2 i_D(u_D) = h has two solutions below h_fold and none above.
    parameter Voltage u_fold = U_T * log(U_T / (R2 * I_S));
    parameter Voltage h_fold = u_fold - U_T + R2 * I_S;
  equation
    L * der(i) = u_0 - R1 * i - R2 * (i + i_D) - u_C;
    C * der(u_C) = i + i_D;
    u_D = R2 * (i + i_D) + u_C;
    i_D = if h > 0 then I_S * (exp(u_D / U_T) - 1) else 0;
    annotation(experiment(StopTime = 500e-6));
  end PrintedSigns;
end Circuit;
