function f
algorithm
  x := 1;
  x[1, :] := {1, 2};
  a.b[i].c := d;
  .x := .y;
  (a, b) := g(x);
  (a, , c[2]) := g(x);
  (, b) := M.g(x, y = 2);
  (a) := g(x);
  () := g(x);
  g(x);
  M.N.g(x, y = 1);
  break;
  return;
  x := y "text" annotation(z);
  assert(x, "y");
end f;
