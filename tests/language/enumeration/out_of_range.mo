type Color = enumeration(red, green, blue);
model M
  parameter Color c = Color(4);
end M;
// expect error: 3:29 enumeration 'Color' has no value number 4
