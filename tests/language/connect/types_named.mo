connector Pin
  Real v;
  flow Real i;
end Pin;
connector Flange
  Real phi;
  flow Real tau;
end Flange;
model M
  Pin p;
  Flange f;
equation
  connect(p, f);
end M;
// expect error: 13:3 'p' and 'f' cannot be connected: only one of them has a 'v'; one is a Pin, the other a Flange
