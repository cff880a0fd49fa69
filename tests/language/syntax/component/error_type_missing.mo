model M
  parameter k = 3;
end M;
// expect error: 2:15 expected the name of a component behind its type 'k', found '='
// expect note: 2:15 the type is missing: 'parameter Real k'
