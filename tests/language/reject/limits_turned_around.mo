// No value is between a minimum and a smaller maximum; a nominal value is a size.
model M
  parameter Real low = 3;
  Real x(min = 2, max = 1) = time;
  parameter Real p(min = 3, max = 1) = 2;
  parameter Integer k[2](min = {1, 5}, max = {2, 4}) = {1, 4};
  type Part = Real(min = 0, max = 1);
  Part y(min = 2) = 2 + time;
  Part z(max = 0.5) = time/2;
  Real open(min = low, max = 0) = time;
  type E = enumeration(a, b, c);
  E e(min = E.c, max = E.a) = E.b;
  Real flat(nominal = 0) = time;
  Real large(nominal = -10) = time;
  Real same(min = 1, max = 1, nominal = 1e-30) = 1;
end M;
// expect error: 4:25 no value is at least 'min' = 2 and at most 'max' = 1
// expect error: 5:35 no value is at least 'min' = 3 and at most 'max' = 1
// expect error: 6:50 no value is at least 'min' = 5 and at most 'max' = 4
// expect error: 7:35 no value is at least 'min' = 2 and at most 'max' = 1
// expect error: 12:26 no value is at least 'min' = 3 and at most 'max' = 1
// expect warning: 13:23 'nominal' is the size of a variable, more than 0; 0 counts as 1
// expect warning: 14:24 'nominal' is the size of a variable, more than 0; -10 counts as 1
