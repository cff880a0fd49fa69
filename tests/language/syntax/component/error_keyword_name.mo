model A
  Real end;
  Real model = 1;
  Real initial, x;
  Real output;
  Real equation;
equation
  x = 1;
end A;
// expect error: 2:8 expected the name of a component, but 'end' is a keyword
// expect error: 3:8 expected the name of a component, but 'model' is a keyword
// expect error: 4:8 expected the name of a component, but 'initial' is a keyword
// expect error: 5:8 expected the name of a component, but 'output' is a keyword
// expect error: 6:8 expected the name of a component, but 'equation' is a keyword
