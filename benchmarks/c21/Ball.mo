package Ball "Case study 1 of ARGESIM benchmark C21: the bouncing ball"

  type Length = Real(unit = "m");
  type Velocity = Real(unit = "m/s");
  type Acceleration = Real(unit = "m/s2");

  // ---- Event contact -------------------------------------------------------

  partial model Flight "Free fall with air resistance, equation (10)"
    parameter Acceleration g = 9.81 "acceleration of gravity";
    parameter Real beta(unit = "1/m") = 0.002 "air resistance; 0: the linear model (11)";
    parameter Length x0 = 10;
    parameter Velocity v0 = 0;
    Length x(start = x0, fixed = true) "height";
    Velocity v(start = v0, fixed = true);
    Acceleration a = -g - beta * v * noEvent(abs(v)) "of the free fall";
  equation
    der(x) = v;
    annotation(
      Diagram(coordinateSystem(extent = {{-100, -20}, {100, 230}}), graphics = {
          Rectangle(extent = {{-100, -14}, {100, 0}}, pattern = LinePattern.None,
            fillColor = {235, 235, 235}, lineColor = {150, 150, 150}, fillPattern = FillPattern.Backward),
          Line(points = {{-100, 0}, {100, 0}}, thickness = 0.5),
          Line(points = {{-80, 0}, {-80, 220}}, color = {150, 150, 150}),
          Line(points = {{-84, 100}, {-76, 100}}, color = {150, 150, 150}),
          Line(points = {{-84, 200}, {-76, 200}}, color = {150, 150, 150}),
          Text(extent = {{-75, 94}, {-45, 106}}, textString = "5 m", textColor = {120, 120, 120},
            horizontalAlignment = TextAlignment.Left),
          Text(extent = {{-75, 194}, {-45, 206}}, textString = "10 m", textColor = {120, 120, 120},
            horizontalAlignment = TextAlignment.Left),
          Ellipse(extent = DynamicSelect({{-12, 200}, {12, 224}},
              {{-12, 20 * x}, {12, 20 * x + 24}}),
            lineColor = {140, 30, 30}, fillColor = {240, 150, 130}, fillPattern = FillPattern.Sphere),
          Line(points = DynamicSelect({{30, 212}, {30, 190}},
              {{30, 20 * x + 12}, {30, 20 * x + 12 + 4 * v}}),
            visible = DynamicSelect(true, abs(v) > 0.5),
            color = {0, 90, 170}, thickness = 0.6, arrow = {Arrow.None, Arrow.Filled}, arrowSize = 6),
          Text(extent = {{38, 196}, {100, 212}}, fontSize = 22, textString = DynamicSelect("x",
              "x = " + String(x, format = ".2f") + " m")),
          Text(extent = {{38, 176}, {100, 192}}, fontSize = 22, textString = DynamicSelect("v",
              "v = " + String(v, format = ".2f") + " m/s"))}));
  end Flight;

  model EventContact "The contact is an event without duration, (12) and (13)"
    extends Flight;
    parameter Real mu = 0.9 "coefficient of restitution";
    Integer bounces(start = 0, fixed = true);
    discrete Length height(start = x0, fixed = true) "of the last flight";
  equation
    der(v) = a;
    when x <= 0 then // event B
      reinit(v, -mu * pre(v));
      bounces = pre(bounces) + 1;
    end when;
    when v <= 0 then // event M
      height = x;
    end when;
    annotation(experiment(StopTime = 30));
  end EventContact;

  model Linear "Event contact without air resistance: it has a closed form"
    extends EventContact(beta = 0);
  end Linear;

  // ---- Against the scattering of bounces at the limit time ------------------

  model StopByParameter "SE-P: below a critical height, restitution and weight become zero"
    extends Flight;
    parameter Real mu = 0.9;
    parameter Length critical = 1e-6 "height below which the ball is taken to be at rest";
    discrete Real restitution(start = mu, fixed = true);
    discrete Real weight(start = 1, fixed = true);
    Integer bounces(start = 0, fixed = true);
  equation
    der(v) = weight * a;
    when v <= 0 then // event M
      restitution = if x < critical then 0 else mu;
    end when;
    when x <= 0 then // event B
      reinit(v, -restitution * pre(v));
      weight = if restitution > 0 then 1 else 0;
      bounces = pre(bounces) + 1;
    end when;
    annotation(experiment(StopTime = 30));
  end StopByParameter;

  model Aloft "The ball moves"
    outer parameter Acceleration g;
    outer parameter Real beta;
    outer output Length x;
    outer output Velocity v;
  equation
    der(x) = v;
    der(v) = -g - beta * v * noEvent(abs(v));
  end Aloft;

  model Resting "Nothing moves"
    outer output Length x;
    outer output Velocity v;
  equation
    der(x) = 0;
    der(v) = 0;
  end Resting;

  model CoarselyResting "Nothing moves, and a coarse solver will do"
    extends Resting;
    annotation(__Saltus(solver = "rodas", relativeTolerance = 1e-3));
  end CoarselyResting;

  model StopByFunction "SE-F: below a critical height, other equations hold"
    inner parameter Acceleration g = 9.81;
    inner parameter Real beta(unit = "1/m") = 0.002;
    parameter Real mu = 0.9;
    parameter Length critical = 1e-6;
    inner Length x(start = 10, fixed = true);
    inner Velocity v(start = 0, fixed = true);
    Boolean isLow(start = false, fixed = true) "the last flight was lower than critical";
    Integer bounces(start = 0, fixed = true);
    Aloft aloft;
    replaceable Resting resting;
  equation
    initialState(aloft);
    transition(aloft, resting, isLow and x <= 0, reset = false);
    when v <= 0 then // event M
      isLow = x < critical;
    end when;
    when x <= 0 then // event B
      reinit(v, if isLow then 0 else -mu * pre(v));
      bounces = pre(bounces) + 1;
    end when;
    annotation(experiment(StopTime = 30));
  end StopByFunction;

  model StopByAlgorithm "SE-A: another solver with other tolerances carries on"
    extends StopByFunction(redeclare CoarselyResting resting);
    annotation(experiment(StopTime = 30));
  end StopByAlgorithm;

  // ---- Dynamic contact -----------------------------------------------------

  partial model Deformable "What all models of the dynamic contact share"
    parameter Acceleration g = 9.81;
    parameter Real beta(unit = "1/m") = 0.002;
    parameter Real k(unit = "1/s2") = 1e6 "stiffness per unit mass";
    parameter Real d(unit = "1/s") = 500 "damping per unit mass";
    parameter Real dragInContact = 0 "1: air resistance acts in contact, too";
    parameter Real weightInContact = 1 "0: gravity is neglected in contact";
    parameter Length x0 = 10;
    parameter Velocity v0 = 0;
  end Deformable;

  model SwitchingParts "Dynamic contact, approach 1: a Boolean switches parts of equations"
    extends Deformable;
    Length x(start = x0, fixed = true) "bottom of the undeformed ball";
    Velocity v(start = v0, fixed = true);
    Length w(start = 0, fixed = true) "deformation";
    Length y = x + w "bottom of the ball";
    Acceleration f = -k * x - d * v "contact force per unit mass, while there is contact";
    Acceleration drag = -beta * v * noEvent(abs(v));
    Boolean contact(start = false, fixed = true);
    Integer contacts(start = 0, fixed = true);
    discrete Length height(start = x0, fixed = true) "largest of the last flight";
    discrete Length deformation(start = 0, fixed = true) "largest of the last contact";
  equation
    der(x) = v;
    der(v) = if contact then f - weightInContact * g + dragInContact * drag else drag - g;
    der(w) = if contact then -v else -(k / d) * w;
    when y <= 0 then // event C
      contact = true;
    elsewhen f <= 0 then // event F
      contact = false;
    end when;
    when contact then
      contacts = pre(contacts) + 1;
    end when;
    when v <= 0 then // event M
      height = x;
    end when;
    when v >= 0 then
      deformation = w;
    end when;
    annotation(experiment(StopTime = 30),
      Diagram(coordinateSystem(extent = {{-100, -20}, {100, 230}}), graphics = {
          Rectangle(extent = {{-100, -14}, {100, 0}}, pattern = LinePattern.None,
            fillColor = {235, 235, 235}, lineColor = {150, 150, 150}, fillPattern = FillPattern.Backward),
          Line(points = {{-100, 0}, {100, 0}}, thickness = 0.5),
          Line(points = {{-80, 0}, {-80, 220}}, color = {150, 150, 150}),
          Line(points = {{-84, 100}, {-76, 100}}, color = {150, 150, 150}),
          Line(points = {{-84, 200}, {-76, 200}}, color = {150, 150, 150}),
          Text(extent = {{-75, 94}, {-45, 106}}, textString = "5 m", textColor = {120, 120, 120},
            horizontalAlignment = TextAlignment.Left),
          Text(extent = {{-75, 194}, {-45, 206}}, textString = "10 m", textColor = {120, 120, 120},
            horizontalAlignment = TextAlignment.Left),
          Ellipse(extent = DynamicSelect({{-12, 200}, {12, 224}},
              {{-12 - 300 * w, 20 * y}, {12 + 300 * w, 20 * y + 24 - 600 * w}}),
            lineColor = {140, 30, 30}, fillPattern = FillPattern.Sphere,
            fillColor = DynamicSelect({240, 150, 130},
              if contact then {255, 220, 90} else {240, 150, 130})),
          Line(points = DynamicSelect({{30, 212}, {30, 190}},
              {{30, 20 * y + 12}, {30, 20 * y + 12 + 4 * v}}),
            visible = DynamicSelect(true, abs(v) > 0.5),
            color = {0, 90, 170}, thickness = 0.6, arrow = {Arrow.None, Arrow.Filled}, arrowSize = 6),
          Text(extent = {{38, 196}, {100, 212}}, fontSize = 22, textString = DynamicSelect("x",
              "x = " + String(x, format = ".3f") + " m")),
          Text(extent = {{38, 176}, {100, 192}}, fontSize = 22, textString = DynamicSelect("w",
              "w = " + String(1000 * max(0, w), format = ".2f") + " mm")),
          Text(extent = {{38, 160}, {100, 170}}, fontSize = 22, textColor = {200, 120, 0}, textString = "contact",
            visible = DynamicSelect(false, contact))}));
  end SwitchingParts;

  model Decomposed "Dynamic contact, approach 2: hybrid decomposition with a state machine"
    extends Deformable;
    inner Length x(start = x0, fixed = true);
    inner Velocity v(start = v0, fixed = true);
    inner Length w(start = 0, fixed = true);
    Length y = x + w;
    Flying flying(g = g, beta = beta, k = k, d = d);
    Touching touching(g = g * weightInContact, beta = beta * dragInContact, k = k, d = d);
    Integer contacts(start = 0, fixed = true);
  equation
    initialState(flying);
    transition(flying, touching, x + w <= 0, reset = false);
    transition(touching, flying, touching.f <= 0, reset = false);
    when activeState(touching) then
      contacts = pre(contacts) + 1;
    end when;
    annotation(experiment(StopTime = 30),
      Diagram(coordinateSystem(extent = {{-100, -20}, {100, 230}}), graphics = {
          Rectangle(extent = {{-100, -14}, {100, 0}}, pattern = LinePattern.None,
            fillColor = {235, 235, 235}, lineColor = {150, 150, 150}, fillPattern = FillPattern.Backward),
          Line(points = {{-100, 0}, {100, 0}}, thickness = 0.5),
          Line(points = {{-80, 0}, {-80, 220}}, color = {150, 150, 150}),
          Line(points = {{-84, 100}, {-76, 100}}, color = {150, 150, 150}),
          Line(points = {{-84, 200}, {-76, 200}}, color = {150, 150, 150}),
          Text(extent = {{-75, 94}, {-45, 106}}, textString = "5 m", textColor = {120, 120, 120},
            horizontalAlignment = TextAlignment.Left),
          Text(extent = {{-75, 194}, {-45, 206}}, textString = "10 m", textColor = {120, 120, 120},
            horizontalAlignment = TextAlignment.Left),
          Ellipse(extent = DynamicSelect({{-12, 200}, {12, 224}},
              {{-12 - 300 * w, 20 * y}, {12 + 300 * w, 20 * y + 24 - 600 * w}}),
            lineColor = {140, 30, 30}, fillPattern = FillPattern.Sphere,
            fillColor = DynamicSelect({240, 150, 130},
              if activeState(touching) then {255, 220, 90} else {240, 150, 130})),
          Line(points = DynamicSelect({{30, 212}, {30, 190}},
              {{30, 20 * y + 12}, {30, 20 * y + 12 + 4 * v}}),
            visible = DynamicSelect(true, abs(v) > 0.5),
            color = {0, 90, 170}, thickness = 0.6, arrow = {Arrow.None, Arrow.Filled}, arrowSize = 6),
          Text(extent = {{38, 196}, {100, 212}}, fontSize = 22, textString = DynamicSelect("x",
              "x = " + String(x, format = ".3f") + " m")),
          Text(extent = {{38, 176}, {100, 192}}, fontSize = 22, textString = DynamicSelect("w",
              "w = " + String(1000 * max(0, w), format = ".2f") + " mm")),
          Text(extent = {{38, 160}, {100, 170}}, fontSize = 22, textColor = {200, 120, 0}, textString = "contact",
            visible = DynamicSelect(false, activeState(touching)))}));
  end Decomposed;

  model Flying "Three states, equation (17)"
    parameter Acceleration g;
    parameter Real beta, k, d;
    outer output Length x;
    outer output Velocity v;
    outer output Length w;
  equation
    der(x) = v;
    der(v) = -g - beta * v * noEvent(abs(v));
    der(w) = -(k / d) * w;
  end Flying;

  model Touching "Two states: the deformation follows from the position, (20) and (21)"
    parameter Acceleration g;
    parameter Real beta, k, d;
    outer output Length x;
    outer output Velocity v;
    outer output Length w;
    Acceleration f = -k * x - d * v;
  equation
    der(x) = v;
    der(v) = -g + f - beta * v * noEvent(abs(v));
    w = -x;
  end Touching;

  model MaximalStateSpace "Dynamic contact, approach 3: all states at all times, some frozen"
    extends Deformable;
    Length xF(start = x0, fixed = true), wF(start = 0, fixed = true) "flight";
    Velocity vF(start = v0, fixed = true);
    Length xC(start = 0, fixed = true) "contact";
    Velocity vC(start = 0, fixed = true);
    Boolean contact(start = false, fixed = true);
    Integer contacts(start = 0, fixed = true);
    Length x = if contact then xC else xF;
    Velocity v = if contact then vC else vF;
    Length w = if contact then -xC else wF;
    Length y = x + w;
    Acceleration f = -k * xC - d * vC;
  equation
    der(xF) = if contact then 0 else vF;
    der(vF) = if contact then 0 else -g - beta * vF * noEvent(abs(vF));
    der(wF) = if contact then 0 else -(k / d) * wF;
    der(xC) = if contact then vC else 0;
    der(vC) =
      if contact then f - weightInContact * g - dragInContact * beta * vC * noEvent(abs(vC)) else 0;
    when xF + wF <= 0 then // event C
      contact = true;
      reinit(xC, pre(xF));
      reinit(vC, pre(vF));
    elsewhen f <= 0 then // event F
      contact = false;
      reinit(xF, pre(xC));
      reinit(vF, pre(vC));
      reinit(wF, -pre(xC));
    end when;
    when contact then
      contacts = pre(contacts) + 1;
    end when;
    annotation(experiment(StopTime = 30),
      Diagram(coordinateSystem(extent = {{-100, -20}, {100, 230}}), graphics = {
          Rectangle(extent = {{-100, -14}, {100, 0}}, pattern = LinePattern.None,
            fillColor = {235, 235, 235}, lineColor = {150, 150, 150}, fillPattern = FillPattern.Backward),
          Line(points = {{-100, 0}, {100, 0}}, thickness = 0.5),
          Line(points = {{-80, 0}, {-80, 220}}, color = {150, 150, 150}),
          Line(points = {{-84, 100}, {-76, 100}}, color = {150, 150, 150}),
          Line(points = {{-84, 200}, {-76, 200}}, color = {150, 150, 150}),
          Text(extent = {{-75, 94}, {-45, 106}}, textString = "5 m", textColor = {120, 120, 120},
            horizontalAlignment = TextAlignment.Left),
          Text(extent = {{-75, 194}, {-45, 206}}, textString = "10 m", textColor = {120, 120, 120},
            horizontalAlignment = TextAlignment.Left),
          Ellipse(extent = DynamicSelect({{-12, 200}, {12, 224}},
              {{-12 - 300 * w, 20 * y}, {12 + 300 * w, 20 * y + 24 - 600 * w}}),
            lineColor = {140, 30, 30}, fillPattern = FillPattern.Sphere,
            fillColor = DynamicSelect({240, 150, 130},
              if contact then {255, 220, 90} else {240, 150, 130})),
          Line(points = DynamicSelect({{30, 212}, {30, 190}},
              {{30, 20 * y + 12}, {30, 20 * y + 12 + 4 * v}}),
            visible = DynamicSelect(true, abs(v) > 0.5),
            color = {0, 90, 170}, thickness = 0.6, arrow = {Arrow.None, Arrow.Filled}, arrowSize = 6),
          Text(extent = {{38, 196}, {100, 212}}, fontSize = 22, textString = DynamicSelect("x",
              "x = " + String(x, format = ".3f") + " m")),
          Text(extent = {{38, 176}, {100, 192}}, fontSize = 22, textString = DynamicSelect("w",
              "w = " + String(1000 * max(0, w), format = ".2f") + " mm")),
          Text(extent = {{38, 160}, {100, 170}}, fontSize = 22, textColor = {200, 120, 0}, textString = "contact",
            visible = DynamicSelect(false, contact))}));
  end MaximalStateSpace;
end Ball;
