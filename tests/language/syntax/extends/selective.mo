// Modelica 3.6 removes inherited components and connections with break.
model A
  extends B(break c, break connect(d.p, e.n[1]), x = 1, redeclare model M = N);
end A;
