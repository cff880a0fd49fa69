model M
  Real x;
initial equations
  x = 1;
equations
  der(x) = -x;
end M;
// expect error: 3:9 the section begins with 'initial equation', not 'equations'
// expect error: 5:1 the section begins with 'equation', not 'equations'
