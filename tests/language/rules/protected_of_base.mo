// Section 4.1: protected elements are not seen behind a dot.
model A
protected
  constant Real c = 1;
end A;
model M
  extends A;
  Real x = A.c;
end M;
// expect error: 8:14 'c' is protected in 'A'
