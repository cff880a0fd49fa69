type E = enumeration(a, b, c);
model M
  Boolean a = "x" < "y";
  Boolean b = E.a < E.b;
  Boolean c = false < true;
  parameter Integer n = 3;
  Boolean d = n == 3;
end M;
// expect flat:
// model M
//   Boolean a;
//   Boolean b;
//   Boolean c;
//   parameter Integer n = 3;
//   Boolean d;
// equation
//   a = true;
//   b = true;
//   c = true;
//   d = n == 3;
// end M;
