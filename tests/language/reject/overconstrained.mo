connector Frame
  Real x;
  flow Real f;
end Frame;
model M
  Frame a;
equation
  a.x = 1;
  Connections.root(a.x);
end M;
// expect error: 9:3 overconstrained connections are not supported ('Connections.root')
