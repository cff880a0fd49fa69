model M
  parameter String s = "a" + "b\"c";
  parameter Integer n = 3;
  parameter String t = String(n) + String(1.5, significantDigits = 3) + String(true);
  parameter String u = String(2.5, format = "6.2f");
  parameter Boolean same = s == t;
end M;
// expect flat:
// model M
//   parameter String s = "ab\"c";
//   parameter Integer n = 3;
//   parameter String t = String(n, minimumLength = 0, leftJustified = true) + "1.5" + "true";
//   parameter String u = "  2.50";
//   parameter Boolean same = s == t;
// end M;
