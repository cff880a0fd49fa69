model M
  Real x(stateSelect = 3);
equation
  der(x) = 1;
end M;
// expect error: 2:24 attribute 'stateSelect' must be StateSelect, but this is Integer
