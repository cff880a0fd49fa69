model A
  B b(x[1] = 2);
end A;
// expect error: 2:8 the name in a modifier cannot have subscripts; give a value to the whole array
