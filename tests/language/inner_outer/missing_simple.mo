model Body
  outer Real g;
  Real a = g;
end Body;
model M
  Body b;
end M;
// expect error: 2:14 there is no 'inner Real g' around 'b.g', which is declared outer
