model Leaf
  outer output Real v;
equation
  v = 1;
end Leaf;
model Whole
  outer output Real v;
  Leaf inside;
equation
  initialState(inside);
end Whole;
model M
  inner Real v(start = 0);
  Whole w;
equation
  initialState(w);
end M;
// expect error: 13:14 'v' is defined by two state machines at once: by state 'w' and by state 'w.inside'
// expect note: 14:9 'w' leaves it to the machine that it contains if it declares it as 'inner outer output'
