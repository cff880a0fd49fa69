model M
  Real x = 2,5;
end M;
// expect error: 2:14 expected the name of a component, found number 5
// expect note: 2:14 numbers have a decimal point: 2.5
