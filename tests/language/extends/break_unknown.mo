model A
  Real x = 1;
end A;
model M
  extends A(break z);
end M;
// expect error: 5:13 there is no 'z' in 'A' to be left out
