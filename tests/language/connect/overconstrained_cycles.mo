// Cycles of branches alone, and branches from root to root, cannot be broken.
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
  Frame a, b, c, d, e;
equation
  Connections.potentialRoot(a.angle);
  Connections.branch(a.angle, b.angle);
  Connections.branch(b.angle, c.angle);
  Connections.branch(c.angle, a.angle);
  Connections.root(d.angle);
  Connections.root(e.angle);
  Connections.branch(d.angle, e.angle);
end M;
// expect error: 22:3 this branch closes a cycle of Connections.branch alone: 'c.angle' and 'a.angle'
// expect error: 25:3 this branch closes a cycle of Connections.branch alone, or joins two roots: 'd.angle' and 'e.angle'
