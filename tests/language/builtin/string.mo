type E = enumeration(one, two);
model M
  parameter Integer n = 3;
  parameter String a = String(n), b = String(2.5), c = String(true), d = String(E.two);
  parameter String e = String(n, minimumLength = 5, leftJustified = false), g = String(1.5, format = ".3f"), h = String(1/3, significantDigits = 3);
  Real x = time;
end M;
// expect flat:
// model M
//   parameter Integer n = 3;
//   parameter String a = String(n, minimumLength = 0, leftJustified = true);
//   parameter String b = "2.5";
//   parameter String c = "true";
//   parameter String d = "two";
//   parameter String e = String(n, minimumLength = 5, leftJustified = false);
//   parameter String g = "1.500";
//   parameter String h = "0.333";
//   Real x;
// equation
//   x = time;
// end M;
