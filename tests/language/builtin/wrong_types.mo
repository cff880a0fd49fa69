model M
  Real a = sin(true);
  Real b = abs("x");
  Integer c = mod(1.5, 1);
  Real e = max(true, 1);
  Real f[3] = cross({1, 2}, {3, 4});
  Boolean g = edge(1.5);
  Real h = transpose(time);
  Integer i = integer("1");
  Real j = der("a");
end M;
// expect error: 2:16 argument 1 of 'sin' must be Real, but this is Boolean
// expect error: 3:16 argument 1 of 'abs' must be Real, but this is String
// expect error: 4:15 the binding of 'c' must be Integer, but this is Real
// expect error: 5:22 the elements of an array must have one type, but there are Boolean and Integer
// expect error: 6:21 the argument of 'cross' must be a vector of size 3, but this is Integer[2]
// expect error: 7:20 the argument of 'edge' must be Boolean, but this is Real
// expect error: 8:22 the argument of 'transpose' must be a matrix, but this is Real
// expect error: 9:23 argument 1 of 'integer' must be Real, but this is String
// expect error: 10:16 the argument of 'der' must be Real, but this is String
