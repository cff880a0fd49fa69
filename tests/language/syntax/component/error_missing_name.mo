model A
  Real;
  Real = 3;
  Real
equation
  x = 1;
end A;
// expect error: 2:7 expected the name of a component, found ';'
// expect error: 3:3 expected a declaration, found identifier 'Real'
// expect error: 5:1 expected the name of a component, found keyword 'equation'
