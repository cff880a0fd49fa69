model Part
  parameter Real k(unit = "N") = 3;
  annotation(Icon(coordinateSystem(extent = {{-50, -50}, {50, 50}}), graphics = {
    Rectangle(extent = {{-40, -30}, {40, 30}}, radius = 5, fillPattern = FillPattern.Sphere),
    Text(extent = {{-9, 9}, {9, 20}}, textString = "%name %k%%", textStyle = {TextStyle.Bold})}));
end Part;
model Whole
  Part p(k = 4) annotation(Placement(visible = true, transformation(origin = {5, 6},
    extent = {{-10, -10}, {10, 10}}, rotation = 90)));
  Part q[2];
  Real x = time;
  annotation(Diagram(graphics = {
    Line(points = {{0, 0}, {5, 5}, {9, 0}}, smooth = Smooth.Bezier, arrow = {Arrow.Filled, Arrow.Half}),
    Ellipse(extent = DynamicSelect({{-3, -3}, {3, 3}}, {{-x, -x}, {x, x}}), endAngle = 300),
    Polygon(points = {{1, 2}, {3, 4}, {5, 6}}, fillPattern = FillPattern.Cross),
    Bitmap(fileName = "x")}));
end Whole;
