model A
equation
  assert(x > 0, "x is " + String(x), AssertionLevel.warning);
  terminate("done");
  reinit(x, 0);
  Connections.branch(a.R, b.R);
  Connections.root(a);
  initialState(s);
  transition(s, t, x > 1, immediate = false, reset = true, priority = 2);
  Modelica.Utilities.Streams.print("hello");
  a.b[1].f();
end A;
