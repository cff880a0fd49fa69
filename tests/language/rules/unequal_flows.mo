// Section 9.3.1.
record R
  Real x;
  Real y;
end R;
connector C
  R r;
  flow Real i;
end C;
model M
  C c(r.x = 1, r.y = 2);
end M;
// expect error: 11:5 connector 'c' has 1 flow and 2 potential variables; it needs as many of one as of the other
