// Section 5.4.
model A
  outer Real v[2];
  Real x = v[1];
end A;
model M
  inner Real v[3] = ones(3);
  A a;
end M;
// expect error: 3:14 'a.v' is declared outer as Real[2], but inner as Real[3]
