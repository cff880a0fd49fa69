// Two hinges in a ring: one of its connections is broken, the others make all of an orientation
// equal. The connection of a.q and b.q is said twice and counts once. c and d have a root of their
// own, the one with the lower priority number.
record Orientation
  Real c, s;
  function equalityConstraint
    input Orientation a;
    input Orientation b;
    output Real residue[1];
  algorithm
    residue := {a.s*b.c - a.c*b.s};
  end equalityConstraint;
end Orientation;
connector Frame
  Orientation R;
  flow Real f;
end Frame;
model Ground
  Frame p;
equation
  Connections.root(p.R);
  p.R.c = 1;
  p.R.s = 0;
end Ground;
model Hinge
  parameter Integer priority = 1;
  Frame p, q;
  Real phi;
equation
  Connections.branch(p.R, q.R);
  Connections.potentialRoot(p.R, priority);
  if Connections.isRoot(p.R) then
    p.R.c = 0;
    p.R.s = 1;
  else
    p.f + q.f = 0;
  end if;
  if rooted(p.R) then
    q.R.c = p.R.c*cos(phi) - p.R.s*sin(phi);
    q.R.s = p.R.c*sin(phi) + p.R.s*cos(phi);
  else
    p.R.c = q.R.c*cos(phi) + q.R.s*sin(phi);
    p.R.s = q.R.s*cos(phi) - q.R.c*sin(phi);
  end if;
  q.f = phi - 0.2*priority;
end Hinge;
model M
  Ground ground;
  Hinge a, b;
  Hinge c(priority=2), d;
equation
  connect(ground.p, a.p);
  connect(b.p, a.p);
  connect(a.q, b.q);
  connect(b.q, a.q);
  connect(c.q, d.q);
end M;
// expect flat:
// record Orientation
//   Real c;
//   Real s;
// end Orientation;
// function 'Orientation.equalityConstraint'
//   input Orientation a;
//   input Orientation b;
//   output Real residue[1];
// algorithm
//   residue := {a.s*b.c - a.c*b.s};
// end 'Orientation.equalityConstraint';
// model M
//   Real 'ground.p.R.c';
//   Real 'ground.p.R.s';
//   Real 'ground.p.f';
//   parameter Integer 'a.priority' = 1;
//   Real 'a.p.R.c';
//   Real 'a.p.R.s';
//   Real 'a.p.f';
//   Real 'a.q.R.c';
//   Real 'a.q.R.s';
//   Real 'a.q.f';
//   Real 'a.phi';
//   parameter Integer 'b.priority' = 1;
//   Real 'b.p.R.c';
//   Real 'b.p.R.s';
//   Real 'b.p.f';
//   Real 'b.q.R.c';
//   Real 'b.q.R.s';
//   Real 'b.q.f';
//   Real 'b.phi';
//   parameter Integer 'c.priority' = 2;
//   Real 'c.p.R.c';
//   Real 'c.p.R.s';
//   Real 'c.p.f';
//   Real 'c.q.R.c';
//   Real 'c.q.R.s';
//   Real 'c.q.f';
//   Real 'c.phi';
//   parameter Integer 'd.priority' = 1;
//   Real 'd.p.R.c';
//   Real 'd.p.R.s';
//   Real 'd.p.f';
//   Real 'd.q.R.c';
//   Real 'd.q.R.s';
//   Real 'd.q.f';
//   Real 'd.phi';
// equation
//   'ground.p.R.c' = 1.0;
//   'ground.p.R.s' = 0.0;
//   'a.p.f' + 'a.q.f' = 0.0;
//   'a.q.R.c' = 'a.p.R.c'*cos('a.phi') - 'a.p.R.s'*sin('a.phi');
//   'a.q.R.s' = 'a.p.R.c'*sin('a.phi') + 'a.p.R.s'*cos('a.phi');
//   'a.q.f' = 'a.phi' - 0.2*'a.priority';
//   'b.p.f' + 'b.q.f' = 0.0;
//   'b.q.R.c' = 'b.p.R.c'*cos('b.phi') - 'b.p.R.s'*sin('b.phi');
//   'b.q.R.s' = 'b.p.R.c'*sin('b.phi') + 'b.p.R.s'*cos('b.phi');
//   'b.q.f' = 'b.phi' - 0.2*'b.priority';
//   'c.p.f' + 'c.q.f' = 0.0;
//   'c.p.R.c' = 'c.q.R.c'*cos('c.phi') + 'c.q.R.s'*sin('c.phi');
//   'c.p.R.s' = 'c.q.R.s'*cos('c.phi') - 'c.q.R.c'*sin('c.phi');
//   'c.q.f' = 'c.phi' - 0.2*'c.priority';
//   'd.p.R.c' = 0.0;
//   'd.p.R.s' = 1.0;
//   'd.q.R.c' = 'd.p.R.c'*cos('d.phi') - 'd.p.R.s'*sin('d.phi');
//   'd.q.R.s' = 'd.p.R.c'*sin('d.phi') + 'd.p.R.s'*cos('d.phi');
//   'd.q.f' = 'd.phi' - 0.2*'d.priority';
//   'ground.p.f' + 'a.p.f' + 'b.p.f' = 0.0;
//   'a.q.f' + 'b.q.f' = 0.0;
//   'c.q.f' + 'd.q.f' = 0.0;
//   'ground.p.R.c' = 'a.p.R.c';
//   'ground.p.R.c' = 'b.p.R.c';
//   'ground.p.R.s' = 'a.p.R.s';
//   'ground.p.R.s' = 'b.p.R.s';
//   'c.q.R.c' = 'd.q.R.c';
//   'c.q.R.s' = 'd.q.R.s';
//   ('Orientation.equalityConstraint'(Orientation('a.q.R.c', 'a.q.R.s'), Orientation('b.q.R.c', 'b.q.R.s')))[1] = 0.0;
//   'c.p.f' = 0.0;
//   'd.p.f' = 0.0;
// end M;
