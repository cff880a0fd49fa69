model M
  type Color = enumeration(red, green);
  Color c = red;
  Color d = Color.blue;
end M;
// expect error: 3:13 there is no variable 'red' in 'M'; did you mean 'Color.red'?
// expect error: 4:19 enumeration 'M.Color' has no value 'blue'; it has red, green
