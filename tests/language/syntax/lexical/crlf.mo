// Lines end with CR LF.
model A
  Real x; // here
  String s = "two
lines";
equation
  x = 1;
end A;
