connector RealInput = input Real;
block G
  RealInput u;
  Real y = 2*u;
end G;
model M
  G g;
end M;
// expect error: 6:7 model 'M' is not balanced: it has 2 unknowns and 1 equation; 1 equation is missing
// expect note: 3:13 input 'g.u' is not connected
