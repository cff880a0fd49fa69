type E = enumeration(one, two, three);
model M
  parameter E e = E.two;
  Integer a = Integer(e), b = Integer(E.three);
  E c = E(3);
end M;
// expect flat:
// type E = enumeration(one, two, three);
// model M
//   parameter E e = E.two;
//   Integer a;
//   Integer b;
//   E c;
// equation
//   a = Integer(e);
//   b = 3;
//   c = E.three;
// end M;
