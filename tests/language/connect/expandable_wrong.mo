expandable connector Bus
  Real x;
  flow Real f;
end Bus;
expandable connector Other
  Real x;
  Real seen;
end Other;
connector In = input Real;
connector Out = output Real;
connector Pin
  Real v;
  flow Real i;
end Pin;
block Source
  Out y = 1;
end Source;
block Sink
  In u;
end Sink;
model A
  Bus bus;
end A;
model B
  Other a, b, c(x = 2), d[2], e[2];
  Pin p;
  Source s, t;
  Sink u;
  Real y = a.seen;
equation
  connect(a, p);
  connect(a.nothing, b.nothing);
  connect(a.only_read, u.u);
  connect(a.twice, s.y);
  connect(b.twice, t.y);
  connect(a.x[0], s.y);
  connect(d, e);
  connect(a, b);
end B;
model M
  A a;
  B b;
end M;
// expect error: 3:13 an expandable connector cannot have flow variables, as 'Bus' has
// expect error: 25:17 the components of an expandable connector cannot be modified: they exist only if they are connected
// expect error: 31:3 an expandable connector can be connected with expandable connectors only; 'b.p' is none
// expect error: 36:15 a subscript must be a number from 1 on
// expect error: 37:11 arrays of expandable connectors are connected element by element
// expect error: 37:14 arrays of expandable connectors are connected element by element
// expect error: 35:13 two outputs are connected: 'b.s.y' and 'b.t.y'
// expect error: 32:13 'nothing' has no type: neither a declaration nor a connector of another class says what it is
// expect error: 33:13 nothing gives 'only_read' of an expandable connector a value: only inputs are connected with it
// expect error: 31:3 'b.a' and 'b.p' cannot be connected: only one of them has a 'x'; one is a Other, the other a Pin
// expect error: 32:13 'Other' has no component 'nothing'
// expect error: 36:13 'x' is not an array and cannot have subscripts
// expect error: 7:8 'b.a.seen' is used, but not there: as a component of an expandable connector it exists only if it is connected
// expect error: 35:3 two outputs are connected: 'b.s.y' and 'b.t.y'
