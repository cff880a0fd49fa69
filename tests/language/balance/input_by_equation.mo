block G
  input Real u;
  Real y = 2*u;
end G;
model M
  G g;
  G h(u = 3);
equation
  g.u = time;
end M;
// expect flat:
// model M
//   Real 'g.u';
//   Real 'g.y';
//   Real 'h.u';
//   Real 'h.y';
// equation
//   'g.y' = 2.0*'g.u';
//   'h.u' = 3.0;
//   'h.y' = 2.0*'h.u';
//   'g.u' = time;
// end M;
