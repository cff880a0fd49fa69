// Section 10.5: a dimension that an enumeration counts has no numbers.
type E = enumeration(a, b);
model M
  Real x[E] = {1, 2};
  Real y = x[1];
end M;
// expect error: 5:14 the subscript must be a value of 'E', but this is Integer
