model A
  annotation(
    Placement(visible = true, transformation(origin = {-10, 20}, extent = {{-10, -10}, {10, 10}}, rotation = -90)),
    Icon(graphics = {Line(points = {{0, 0}}), Text(textString = "%name", lineColor = {0, 0, 255})}),
    choices(choice = 1 "one", choice = 2 "two", choice(redeclare model X = Y "Y")),
    Dialog(tab = "General", enable = not useB and n > 1),
    derivative(noDerivative = x, order = 2) = df,
    inverse(u = f_inv(a, y)),
    uses(Modelica(version = "4.0.0")),
    graphics = {},
    version = "1.0.0");
end A;
