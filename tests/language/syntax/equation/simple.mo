model A
equation
  x = y;
  der(x) = -k * x "decay" annotation(x);
  (a, b) = f(x);
  (a, , c) = f(x);
  (, b) = f(x);
  a + b = c - d;
  f(x) = g(y);
  0 = x;
  {a, b} = {1, 2};
  [a, b; c, d] = M;
  x[1] = y.z[2].w;
  .x = .y;
  a < b = c;
  if true then x = 1; end if;
  -x = +y;
  (x) = (y);
  initial() = b;
end A;
