model A
  Real[2][3] g;
end A;
// expect error: 2:10 expected the name of a component, found '['
