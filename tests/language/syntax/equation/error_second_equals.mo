model SecondEquals
  Boolean b;
  Real y;
equation
  b = y = 0.5;
  y = 1,5;
end SecondEquals;
// expect error: 5:9 expected ';' behind the equation, found '='
// expect note: 5:9 '==' compares two values: b = (x == y)
// expect error: 6:8 expected ';' behind the equation, found ','
// expect note: 6:8 numbers have a decimal point: 2.5
