model A
  Real a, b, c;
  Real[3] d, e[2], f[2](each start = 0);
  Real g = 1 "g", h(start = 2) "h" annotation(x = 1), i;
  .Modelica.Units.SI.Length 'len' = 1.0;
end A;
