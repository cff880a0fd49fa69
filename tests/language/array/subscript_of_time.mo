model M
  type E = enumeration(one, two);
  Real x = time[1];
  E e = E.two[1];
end M;
// expect error: 3:12 'time' is not an array and cannot have subscripts
// expect error: 4:11 'two' is not an array and cannot have subscripts
