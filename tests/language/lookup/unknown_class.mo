model Resistor
  Real v = 1;
end Resistor;
model M
  Resistr r;
end M;
// expect error: 5:3 there is no type 'Resistr' in 'M'; did you mean 'Resistor'?
