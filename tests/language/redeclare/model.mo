model Base
  parameter Real p = 1;
  Real y;
end Base;
model One
  extends Base;
equation
  y = p;
end One;
model Two
  extends Base(p = 5);
equation
  y = 2*p;
end Two;
model System
  replaceable model Part = One constrainedby Base;
  Part part;
  Part parts[2](each p = 3);
end System;
model M
  System a;
  System b(redeclare model Part = Two);
  System c(redeclare model Part = Two(p = 7));
end M;
// expect flat:
// model M
//   parameter Real 'a.part.p' = 1.0;
//   Real 'a.part.y';
//   parameter Real 'a.parts[1].p' = 3.0;
//   Real 'a.parts[1].y';
//   parameter Real 'a.parts[2].p' = 3.0;
//   Real 'a.parts[2].y';
//   parameter Real 'b.part.p' = 5.0;
//   Real 'b.part.y';
//   parameter Real 'b.parts[1].p' = 3.0;
//   Real 'b.parts[1].y';
//   parameter Real 'b.parts[2].p' = 3.0;
//   Real 'b.parts[2].y';
//   parameter Real 'c.part.p' = 7.0;
//   Real 'c.part.y';
//   parameter Real 'c.parts[1].p' = 3.0;
//   Real 'c.parts[1].y';
//   parameter Real 'c.parts[2].p' = 3.0;
//   Real 'c.parts[2].y';
// equation
//   'a.part.y' = 'a.part.p';
//   'a.parts[1].y' = 'a.parts[1].p';
//   'a.parts[2].y' = 'a.parts[2].p';
//   'b.part.y' = 2.0*'b.part.p';
//   'b.parts[1].y' = 2.0*'b.parts[1].p';
//   'b.parts[2].y' = 2.0*'b.parts[2].p';
//   'c.part.y' = 2.0*'c.part.p';
//   'c.parts[1].y' = 2.0*'c.parts[1].p';
//   'c.parts[2].y' = 2.0*'c.parts[2].p';
// end M;
