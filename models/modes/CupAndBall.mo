package CupAndBall "A ball on a rope that is taut or loose, in Cartesian coordinates"
  // After A. Benveniste, B. Caillaud, M. Malandain: The mathematical foundations of physical
  // systems modeling languages, Annual Reviews in Control 50 (2020). The index is 3 while the rope
  // is taut, and there are no constraints while it is loose.
  partial model Ball
    parameter Real g = 9.81 "m/s2";
    parameter Real l = 1 "m, of the rope";
    Real x(start = 0.6, fixed = true) "m";
    Real y(start = 0.2, fixed = true) "m, upwards";
    Real vx(start = 1, fixed = true) "m/s";
    Real vy(start = 0, fixed = true) "m/s";
    Real lambda "tension, by mass and length";
    Real energy = (vx^2 + vy^2)/2 + g*y "by the mass";
  equation
    der(x) = vx;
    der(y) = vy;
    der(vx) = -lambda*x;
    der(vy) = -lambda*y - g;
    annotation(Diagram(graphics = {
      Ellipse(extent = {{-80, -80}, {80, 80}}, lineColor = {190, 190, 190}, pattern = LinePattern.Dash),
      Line(points = DynamicSelect({{0, 0}, {10, -20}, {48, 16}},
          {{0, 0}, {40*x/l, 40*y/l - 80*sqrt(max(0, 1 - (x^2 + y^2)/l^2))}, {80*x/l, 80*y/l}}),
        color = DynamicSelect({0, 0, 0}, if lambda > 0 then {200, 40, 40} else {0, 110, 190}),
        smooth = Smooth.Bezier, thickness = 0.5),
      Polygon(points = {{-12, 14}, {12, 14}, {8, -2}, {-8, -2}}, fillColor = {222, 184, 135},
        fillPattern = FillPattern.Solid),
      Rectangle(extent = {{-3, -20}, {3, -2}}, fillColor = {222, 184, 135}, lineColor = {140, 100, 60},
        fillPattern = FillPattern.VerticalCylinder),
      Ellipse(extent = DynamicSelect({{40, 8}, {56, 24}},
          {{80*x/l - 8, 80*y/l - 8}, {80*x/l + 8, 80*y/l + 8}}),
        lineColor = {120, 30, 30}, fillColor = {240, 150, 130}, fillPattern = FillPattern.Sphere),
      Text(extent = {{-100, 86}, {100, 96}}, textString = DynamicSelect("rope",
          if lambda > 0 then "taut" else "loose"))}));
  end Ball;
  model Inelastic "What is radial in the velocity is lost when the rope becomes taut"
    extends Ball;
    Boolean taut(start = false, fixed = true);
  equation
    taut = if pre(taut) then lambda > 0 else x^2 + y^2 >= l^2;
    if taut then
      x^2 + y^2 = l^2;
    else
      lambda = 0;
    end if;
    annotation(experiment(StopTime = 4));
  end Inelastic;
  model Elastic "What is radial in the velocity is reversed; the rope is never taut for long"
    extends Ball;
    parameter Real e = 1 "restitution";
    Boolean taut;
  equation
    taut = x^2 + y^2 >= l^2;
    when taut then
      reinit(vx, pre(vx) - (1 + e)*(x*pre(vx) + y*pre(vy))/l^2*x);
      reinit(vy, pre(vy) - (1 + e)*(x*pre(vx) + y*pre(vy))/l^2*y);
    end when;
    if taut then
      x^2 + y^2 = l^2;
    else
      lambda = 0;
    end if;
    annotation(experiment(StopTime = 2));
  end Elastic;
end CupAndBall;
