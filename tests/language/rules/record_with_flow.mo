// Section 4.6.
record R
  flow Real i = 1;
end R;
model M
  R r;
end M;
// expect error: 3:13 a record cannot have flow variables, as 'R' has; a model or a block can
