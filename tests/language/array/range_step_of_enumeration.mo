// The step of a range is a number (section 10.4.3).
model M
  type E = enumeration(one, two, three);
  Real x[3] = 1:E.one:3;
  E e[3] = E.one:E.one:E.three;
end M;
// expect error: 4:19 the argument of ':' must be a number, but this is M.E
// expect error: 5:20 a range of M.E has no step
