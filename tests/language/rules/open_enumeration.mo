// Section 4.8.5.3: any enumeration fits enumeration(:).
type E = enumeration(a, b);
model A
  replaceable type T = enumeration(:);
  parameter T t;
end A;
model M
  A a(redeclare type T = E, t = E.b);
end M;
// expect flat:
// type E = enumeration(a, b);
// model M
//   parameter E 'a.t' = E.b;
// end M;
