type Angle
  extends Real;
  function equalityConstraint
    input Angle a;
    input Angle b;
    output Real residue[0];
  algorithm
  end equalityConstraint;
end Angle;
connector Frame
  Real x;
  Angle angle;
  flow Real f;
end Frame;
model M
  Frame a, b, c, d;
  Angle lonely;
equation
  Connections.root(a.x);
  Connections.root(lonely);
  Connections.root(a.angle, b.angle);
  Connections.potentialRoot(a.angle, 1.5);
  Connections.potentialRoot(a.angle, weight=1);
  Connections.branch(a.angle);
  Connections.branch(a.angle, a.angle);
  Connections.isRoot(a.angle);
  Connections.leaf(a.angle);
  Connections.uniqueRoot(a.angle, "text");
  when time > 1 then
    Connections.root(b.angle);
  end when;
  if time > 1 then
    Connections.branch(a.angle, b.angle);
  end if;
  a.x = if Connections.branch(a.angle, b.angle) then 1 else 2;
  b.x = if Connections.rooted(b.angle) then 1 else 2;
  c.x = if Connections.isRoot(c.angle, d.angle) then 1 else 2;
  connect(c, d);
algorithm
  Connections.root(c.angle);
initial equation
  Connections.root(d.angle);
end M;
// expect error: 19:20 'Connections.root' needs one component whose type has a function equalityConstraint; 'a.x' is none
// expect error: 20:20 'Connections.root' needs a component of a connector; 'lonely' is in none
// expect error: 21:3 'Connections.root' takes one component
// expect error: 22:38 a priority must be Integer, but this is Real; integer(...) makes a whole number of it
// expect error: 23:38 'Connections.potentialRoot' takes a component and a priority
// expect error: 24:3 'Connections.branch' takes two components of a connector
// expect error: 25:3 'Connections.branch' needs two different components
// expect error: 26:3 'Connections.isRoot' has a value and is no equation
// expect error: 27:3 'Connections' has no 'leaf', but branch, root, potentialRoot, isRoot, rooted
// expect error: 28:3 'Connections.uniqueRoot' is not supported
// expect error: 30:5 'Connections.root' cannot be used in 'when'
// expect error: 33:5 'Connections.branch' in an 'if' needs a condition that is known before the run
// expect error: 42:3 'Connections.root' cannot be used in an initial equation section
// expect error: 38:3 no root of 'c.angle': neither Connections.root nor Connections.potentialRoot names it or what it is connected to
// expect error: 35:12 'Connections.branch' has no value: it stands alone in an equation section
// expect error: 36:12 'rooted' needs a component with one Connections.branch, but 'b.angle' has none
// expect error: 37:12 'Connections.isRoot' takes one component
// expect error: 40:3 'Connections.root' has no value: it stands alone in an equation section
