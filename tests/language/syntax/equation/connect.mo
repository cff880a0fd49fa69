model A
equation
  connect(a, b);
  connect(a.b.c, d[1].e[2, i + 1].f) "wire" annotation(Line(points = {{0, 0}, {1, 1}}, color = {0, 0, 255}));
  connect(x[:], y[1:end]);
  connect(.a, .b);
end A;
