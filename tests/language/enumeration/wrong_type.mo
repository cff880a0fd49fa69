type Color = enumeration(red, green, blue);
type Size = enumeration(small, large);
model M
  parameter Color c = Size.small;
  parameter Integer n = Color.red;
end M;
// expect error: 4:28 the binding of 'c' must be Color, but this is Size
// expect error: 5:31 the binding of 'n' must be Integer, but this is Color
