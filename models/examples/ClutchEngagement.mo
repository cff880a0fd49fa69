model ClutchEngagement "A clutch closes: two shafts slip until their speeds are one"
  import Saltus.Rotational.*;
  Inertia engine(J = 1, phi(start = 0, fixed = true), w(start = 100, fixed = true))
    annotation(Placement(transformation(extent = {{-50, -20}, {-10, 20}})));
  Inertia load(J = 3, phi(start = 0, fixed = true), w(start = 0, fixed = true))
    annotation(Placement(transformation(extent = {{60, -20}, {100, 20}})));
  Clutch clutch(tau_max = 150, mode(start = 2))
    annotation(Placement(transformation(extent = {{5, -20}, {45, 20}})));
  ConstantTorque drive(tau = 20)
    annotation(Placement(transformation(extent = {{-100, -20}, {-60, 20}})));
  Saltus.Blocks.Ramp pressure(startTime = 0.5, duration = 1)
    annotation(Placement(transformation(extent = {{-40, 40}, {-10, 70}})));
equation
  connect(drive.flange, engine.a)
    annotation(Line(points = {{-60, 0}, {-50, 0}}));
  connect(engine.b, clutch.a)
    annotation(Line(points = {{-10, 0}, {5, 0}}));
  connect(clutch.b, load.a)
    annotation(Line(points = {{45, 0}, {60, 0}}));
  connect(pressure.y, clutch.pressure)
    annotation(Line(points = {{-8, 55}, {25, 55}, {25, 22}}, color = {0, 0, 127}));
  annotation(experiment(StopTime = 3), Diagram(
    coordinateSystem(extent = {{-110, -90}, {110, 80}}), graphics = {
      Ellipse(extent = {{-50, -84}, {-10, -44}}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Line(origin = {-30, -64}, rotation = DynamicSelect(0, 135 - 2.7 * engine.w),
        points = {{0, 0}, {0, 17}}, color = {200, 40, 40}, thickness = 0.6),
      Ellipse(extent = {{60, -84}, {100, -44}}, fillColor = {255, 255, 255},
        fillPattern = FillPattern.Solid),
      Line(origin = {80, -64}, rotation = DynamicSelect(0, 135 - 2.7 * load.w),
        points = {{0, 0}, {0, 17}}, color = {200, 40, 40}, thickness = 0.6),
      Text(extent = {{-60, -42}, {0, -34}}, fontSize = 16, textString = DynamicSelect("w",
          String(engine.w, format = ".1f") + " rad/s")),
      Text(extent = {{50, -42}, {110, -34}}, fontSize = 16, textString = DynamicSelect("w",
          String(load.w, format = ".1f") + " rad/s")),
      Text(extent = {{-5, -70}, {55, -58}}, fontSize = 16, textString = DynamicSelect("",
          if clutch.mode == 2 then "open" elseif clutch.mode == 0 then "locked" else "slips"))}));
end ClutchEngagement;
