type Color = enumeration(red, green, blue);
model M
  parameter Color c = Color.gren;
end M;
// expect error: 3:29 enumeration 'Color' has no value 'gren'; did you mean 'green'?
