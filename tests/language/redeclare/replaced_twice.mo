// What a redeclaration says of its own component or class is not said of one that replaces it
// later; what is said of whatever stands there, is (section 7.3.2).
package P
  model A
    parameter Real x = 1;
    Real y = x;
  end A;
  model B
    extends A;
    parameter Real k = 5;
  end B;
  model C
    extends A;
  end C;
  model First
    replaceable A a;
    replaceable model N = A;
    N n;
  end First;
  model Second
    extends First(redeclare replaceable B a(x = 7, k = 2),
                  redeclare replaceable model N = B(x = 7, k = 2));
  end Second;
  model Element
    extends First;
    redeclare replaceable B a(x = 7, k = 2);
  end Element;
  model Modified
    extends First(a(x = 6), N(x = 6));
  end Modified;
end P;
model M
  extends P.Second(redeclare P.C a, redeclare model N = P.C);
end M;
model E
  extends P.Element(redeclare P.C a);
end E;
model L
  extends P.Modified(redeclare P.C a, redeclare model N = P.C);
end L;
model All
  M m;
  E e;
  L l;
end All;
// expect flat:
// model All
//   parameter Real 'm.a.x' = 1.0;
//   Real 'm.a.y';
//   parameter Real 'm.n.x' = 1.0;
//   Real 'm.n.y';
//   parameter Real 'e.a.x' = 1.0;
//   Real 'e.a.y';
//   parameter Real 'e.n.x' = 1.0;
//   Real 'e.n.y';
//   parameter Real 'l.a.x' = 6.0;
//   Real 'l.a.y';
//   parameter Real 'l.n.x' = 6.0;
//   Real 'l.n.y';
// equation
//   'm.a.y' = 'm.a.x';
//   'm.n.y' = 'm.n.x';
//   'e.a.y' = 'e.a.x';
//   'e.n.y' = 'e.n.x';
//   'l.a.y' = 'l.a.x';
//   'l.n.y' = 'l.n.x';
// end All;
