model M
  Real x[2] = {1, "two"};
end M;
// expect error: 2:19 the elements of an array must have one type, but there are Integer and String
