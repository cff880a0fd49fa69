model IdealClutch "Two inertias that a clutch joins for a while: angular momentum is kept"
  parameter Real J1 = 1 "kg.m2";
  parameter Real J2 = 3 "kg.m2";
  parameter Real closing = 1 "s";
  parameter Real opening = 2 "s";
  Real w1(start = 1, fixed = true) "rad/s";
  Real w2(start = 5, fixed = true) "rad/s";
  Real tau "torque in the clutch, an impulse when it closes";
  Boolean locked;
equation
  locked = time >= closing and time < opening;
  J1*der(w1) = tau;
  J2*der(w2) = -tau;
  if locked then
    w1 = w2;
  else
    tau = 0;
  end if;
  annotation(experiment(StopTime = 3), Diagram(coordinateSystem(extent = {{-100, -60}, {100, 80}}),
    graphics = {
      Rectangle(extent = {{-95, -4}, {-20, 4}}, fillColor = {200, 200, 200},
        lineColor = {90, 100, 120}, fillPattern = FillPattern.HorizontalCylinder),
      Rectangle(extent = DynamicSelect({{10, -4}, {95, 4}}, {{if locked then -6 else 10, -4}, {95, 4}}),
        fillColor = {200, 200, 200}, lineColor = {90, 100, 120}, fillPattern = FillPattern.HorizontalCylinder),
      Rectangle(extent = {{-70, -30}, {-40, 30}}, fillColor = {170, 190, 220},
        lineColor = {90, 100, 120}, fillPattern = FillPattern.HorizontalCylinder),
      Rectangle(extent = {{40, -50}, {80, 50}}, fillColor = {170, 190, 220},
        lineColor = {90, 100, 120}, fillPattern = FillPattern.HorizontalCylinder),
      Rectangle(extent = {{-20, -34}, {-12, 34}}, fillPattern = FillPattern.Solid,
        fillColor = DynamicSelect({220, 220, 220}, if locked then {255, 190, 60} else {220, 220, 220})),
      Rectangle(extent = DynamicSelect({{2, -34}, {10, 34}},
          if locked then {{-12, -34}, {-4, 34}} else {{2, -34}, {10, 34}}),
        fillColor = DynamicSelect({220, 220, 220}, if locked then {255, 190, 60} else {220, 220, 220}),
        fillPattern = FillPattern.Solid),
      Text(extent = {{-90, 56}, {-20, 66}}, textString = DynamicSelect("w1",
          "w1 = " + String(w1, format = ".2f") + " rad/s")),
      Text(extent = {{20, 56}, {90, 66}}, textString = DynamicSelect("w2",
          "w2 = " + String(w2, format = ".2f") + " rad/s")),
      Text(extent = {{-40, 70}, {40, 80}}, textColor = {200, 120, 0}, textString = "locked",
        visible = DynamicSelect(false, locked))}));
end IdealClutch;
