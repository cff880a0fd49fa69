// A modification of a class inside another one reaches all that is of that class (section 7.2.5).
model A
  model B
    parameter Real x = 2;
    parameter Real y = 3;
  end B;
  B b;
  B c(y = 5);
end A;
model M
  extends A(B(x = 4));
  A a(B(x = 6, y = 7));
end M;
// expect flat:
// model M
//   parameter Real 'b.x' = 4.0;
//   parameter Real 'b.y' = 3.0;
//   parameter Real 'c.x' = 4.0;
//   parameter Real 'c.y' = 5.0;
//   parameter Real 'a.b.x' = 6.0;
//   parameter Real 'a.b.y' = 7.0;
//   parameter Real 'a.c.x' = 6.0;
//   parameter Real 'a.c.y' = 5.0;
// end M;
