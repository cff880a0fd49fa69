model A
  B b(c(d(e(f = 1)))) = 2;
  B b2(c.d.e = 1, c.f(g = 2) = 3);
  B b3();
  B b4(x, y "text", z = 1 "text");
end A;
