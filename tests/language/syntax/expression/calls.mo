model A
equation
  x = f();
  x = f(1);
  x = f(1, 2, 3);
  x = f(a = 1);
  x = f(1, 2, a = 3, b = f(c = 4));
  x = M.N.f(1);
  x = .M.f(1);
  x = a[1].f(2);
  x = der(y);
  x = der(der(y));
  x = initial() and terminal();
  x = pre(y);
  x = pure(f(1));
  x = f({1, 2}, [3], (4), "5", true);
  x = f((a, b));
  x = Complex(1, 2) * j;
  x = 'quoted function'(1);
end A;
