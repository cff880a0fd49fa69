model A
  package P
    outer constant Integer n;
  end P;
  Integer x = P.n;
end A;
model B
  inner constant Integer n = 10;
  A a;
end B;
model C
  inner constant Integer n = 20;
  A a;
end C;
model M
  B b;
  C c;
end M;
// expect flat:
// model M
//   constant Integer 'b.n' = 10;
//   Integer 'b.a.x';
//   constant Integer 'c.n' = 20;
//   Integer 'c.a.x';
// equation
//   'b.a.x' = 10;
//   'c.a.x' = 20;
// end M;
