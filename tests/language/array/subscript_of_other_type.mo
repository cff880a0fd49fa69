// Section 10.5: values of an enumeration or of Boolean are no subscripts of a dimension of numbers.
type E = enumeration(one, two);
type Counted = Real[Boolean];
model M
  Real x[2] = {1, 2};
  Counted c = {3, 4};
  Boolean b = time > 0.5;
  Real u = x[E.one];
  Real v = x[b];
  Real w = c[b];
  Real y = c[1];
end M;
// expect error: 8:16 a subscript must be an Integer or a vector of Integers, but this is E
// expect error: 9:14 a subscript must be an Integer or a vector of Integers, but this is Boolean
// expect error: 11:14 the subscript must be a value of 'Boolean', but this is Integer
