model A
  String s = "no end;
  Real x;
equation
  x = 1;
end A;
// expect error: 2:14 this string has no end: a double quote is missing
