// Section 7.3.1: without redeclare the base class keeps its own.
model A
  replaceable model B
    Real x = 1;
  end B;
  B b;
end A;
model M
  extends A;
  model extends B
    Real y = 2;
  end B;
  B c;
end M;
// expect flat:
// model M
//   Real 'b.x';
//   Real 'c.x';
//   Real 'c.y';
// equation
//   'b.x' = 1.0;
//   'c.x' = 1.0;
//   'c.y' = 2.0;
// end M;
