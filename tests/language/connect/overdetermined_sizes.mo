// A potential of an overdetermined type counts as many variables as its equalityConstraint returns
// (section 9.4.1): two and three here, and three flows in one, six in the other.

type Pair = Real[2];

type Angles
  extends Pair;
  function equalityConstraint
    input Angles a;
    input Angles b;
    output Real residue[1];
  algorithm
    residue := {a[1] - b[1]};
  end equalityConstraint;
end Angles;

connector Fine
  Real r[2];
  Angles a;
  flow Real f[3];
end Fine;

connector Wrong
  Real r[2];
  Angles a;
  flow Real f[4];
end Wrong;

model M
  Fine f(r = {1, 2}, a = {3, 4});
  Wrong w(r = {1, 2}, a = {3, 4});
equation
  Connections.root(f.a);
  Connections.root(w.a);
end M;

// expect error: 31:9 connector 'w' has 4 flow and 3 potential variables; it needs as many of one as of the other
// expect note: 23:11 'Wrong' is declared here
