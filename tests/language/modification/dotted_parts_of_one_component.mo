model A
  parameter Real p = 1;
  parameter Real q = 1;
end A;
model M
  model B
    A a;
  end B;
  B b(a.p = 2, a.q = 3);
end M;
// expect flat:
// model M
//   parameter Real 'b.a.p' = 2.0;
//   parameter Real 'b.a.q' = 3.0;
// end M;
