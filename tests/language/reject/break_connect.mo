connector C
  Real v;
  flow Real i;
end C;

model A
  C a, b, c;
equation
  connect(a, b);
end A;

model B
  extends A(break connect(a, c), break connect(b, a));
end B;

model M
  B b;
end M;
// expect error: 13:13 there is no connect(a, c) in 'A' to be left out
