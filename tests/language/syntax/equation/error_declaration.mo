model M
equation
  x = 1;
  Real x;
end M;
// expect error: 4:8 expected '=' in the equation, found identifier 'x'
// expect note: 4:3 declarations stand before 'equation'
