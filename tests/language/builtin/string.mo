type E = enumeration(one, two);
model M
  parameter Integer n = 3;
  parameter String a = String(n), b = String(2.5), c = String(true), d = String(E.two);
  parameter String e = String(n, minimumLength = 5, leftJustified = false), g = String(1.5, format = ".3f"), h = String(1/3, significantDigits = 3);
  Real x = time;
end M;
// expect flat:
// type E = enumeration(one, two);
// model M
//   parameter Integer n = 3;
//   parameter String a = String(n, minimumLength = 0, leftJustified = true);
//   parameter String b = String(2.5, significantDigits = 6, minimumLength = 0, leftJustified = true);
//   parameter String c = String(true, minimumLength = 0, leftJustified = true);
//   parameter String d = String(E.two, minimumLength = 0, leftJustified = true);
//   parameter String e = String(n, minimumLength = 5, leftJustified = false);
//   parameter String g = String(1.5, format = ".3f");
//   parameter String h = String(0.3333333333333333, significantDigits = 3, minimumLength = 0, leftJustified = true);
//   Real x;
// equation
//   x = time;
// end M;
