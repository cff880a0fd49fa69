type Color = enumeration(red "stop", green, blue);
model M
  parameter Color c = Color.green;
  Color d = if time > 1 then Color.red else c;
  Integer n = Integer(d);
  Boolean less = d < Color.blue;
  Boolean same = c == Color.green;
  Color e = Color(3);
  parameter String s = String(Color.blue);
end M;
// expect flat:
// type Color = enumeration(red, green, blue);
// model M
//   parameter Color c = Color.green;
//   Color d;
//   Integer n;
//   Boolean less;
//   Boolean same;
//   Color e;
//   parameter String s = "blue";
// equation
//   d = if time > 1.0 then Color.red else c;
//   n = Integer(d);
//   less = d < Color.blue;
//   same = c == Color.green;
//   e = Color.blue;
// end M;
