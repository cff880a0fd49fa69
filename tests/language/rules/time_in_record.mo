// Section 4.4.2.
record R
  Real x = time;
end R;
model M
  R r;
end M;
// expect error: 3:12 'time' cannot be used in a record; where a component of it is declared it can
