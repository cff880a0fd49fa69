model A
  Real a = 2x;
  Real b = 1e;
  Real c = 1.5e+;
  Integer d = 9223372036854775808;
  Real e = 1e999;
  Integer f = 0x10;
end A;
// expect error: 2:13 'x' follows a number directly; multiplication needs '*'
// expect error: 3:13 the exponent has no digits
// expect error: 4:15 the exponent has no digits
// expect error: 4:17 expected an expression, found ';'
// expect error: 5:15 this Integer is larger than 9223372036854775807; a Real has a decimal point
// expect error: 6:12 this number is larger than the largest Real
// expect error: 7:16 'x10' follows a number directly; multiplication needs '*'
