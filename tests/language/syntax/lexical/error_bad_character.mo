model A
  Real x @ y;
  Real z; ##
  Real w;
equation
  x = 5 % 3;
  y = a & b;
end A;
// expect error: 2:10 unexpected character '@'
// expect error: 3:11 unexpected character '#'
// expect error: 6:9 unexpected character '%'
// expect error: 7:9 unexpected character '&'
