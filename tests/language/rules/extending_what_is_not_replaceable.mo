// Section 7.3.1.
model A
  model B
    Real x = 1;
  end B;
end A;
model M
  extends A;
  model extends B
    Real y = 2;
  end B;
  B b;
end M;
// expect error: 9:17 'B' cannot be redeclared: it is not declared 'replaceable'
