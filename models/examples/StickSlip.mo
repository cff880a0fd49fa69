model StickSlip "A block on a moving belt, held by a spring: sticks and slips in turn"
  import Saltus.Translational.*;
  Mass body(m = 1, s(start = 0, fixed = true), v(start = 0.1, fixed = true))
    annotation(Placement(transformation(extent = {{20, -60}, {60, -20}})));
  Spring spring(c = 100)
    annotation(Placement(transformation(extent = {{-40, -60}, {0, -20}})));
  Friction friction(fc = 2, fs = 5)
    annotation(Placement(transformation(extent = {{-40, -100}, {0, -60}})));
  Fixed wall
    annotation(Placement(transformation(extent = {{-80, -50}, {-60, -30}})));
  Speed belt(v = 0.1)
    annotation(Placement(transformation(extent = {{-90, -95}, {-60, -65}})));
equation
  connect(wall.flange, spring.a)
    annotation(Line(points = {{-70, -40}, {-40, -40}}, color = {0, 110, 60}));
  connect(spring.b, body.a)
    annotation(Line(points = {{0, -40}, {20, -40}}, color = {0, 110, 60}));
  connect(belt.flange, friction.a)
    annotation(Line(points = {{-60, -80}, {-40, -80}}, color = {0, 110, 60}));
  connect(friction.b, body.a)
    annotation(Line(points = {{0, -80}, {10, -80}, {10, -40}, {20, -40}}, color = {0, 110, 60}));
  annotation(experiment(StopTime = 5), Diagram(
    coordinateSystem(extent = {{-100, -110}, {100, 100}}), graphics = {
      Rectangle(extent = {{-100, 30}, {-90, 90}}, pattern = LinePattern.None,
        lineColor = {130, 130, 130}, fillColor = {240, 240, 240},
        fillPattern = FillPattern.Backward),
      Line(points = {{-90, 30}, {-90, 90}}, thickness = 0.5),
      Rectangle(extent = {{-80, 16}, {95, 30}}, radius = 7, lineThickness = 0.6,
        fillColor = {70, 70, 75}, fillPattern = FillPattern.Solid),
      Line(origin = DynamicSelect({0, 0}, {rem(600 * belt.flange.s, 35), 0}),
        points = {{-70, 30}, {-64, 27}}, color = {220, 220, 220}, thickness = 0.8),
      Line(origin = DynamicSelect({0, 0}, {rem(600 * belt.flange.s, 35), 0}),
        points = {{-35, 30}, {-29, 27}}, color = {220, 220, 220}, thickness = 0.8),
      Line(origin = DynamicSelect({0, 0}, {rem(600 * belt.flange.s, 35), 0}),
        points = {{0, 30}, {6, 27}}, color = {220, 220, 220}, thickness = 0.8),
      Line(origin = DynamicSelect({0, 0}, {rem(600 * belt.flange.s, 35), 0}),
        points = {{35, 30}, {41, 27}}, color = {220, 220, 220}, thickness = 0.8),
      Line(points = DynamicSelect(
          {{-90, 50}, {-80, 50}, {-74, 60}, {-62, 40}, {-50, 60}, {-38, 40}, {-32, 50}, {-20, 50}},
          {{-90, 50}, {-80, 50}, {-74 + 60 * body.s, 60}, {-62 + 180 * body.s, 40},
            {-50 + 300 * body.s, 60}, {-38 + 420 * body.s, 40}, {-32 + 500 * body.s, 50},
            {-20 + 600 * body.s, 50}}), thickness = 0.5),
      Rectangle(extent = DynamicSelect({{-20, 30}, {20, 70}},
          {{-20 + 600 * body.s, 30}, {20 + 600 * body.s, 70}}), lineColor = {90, 95, 105},
        fillPattern = FillPattern.Solid, fillColor = DynamicSelect({215, 222, 232},
          if friction.mode == 0 then {255, 200, 80} else {215, 222, 232})),
      Text(extent = {{-60, 84}, {60, 96}}, fontSize = 20, textString = DynamicSelect("",
          if friction.mode == 0 then "sticks" else "slips"))}));
end StickSlip;
