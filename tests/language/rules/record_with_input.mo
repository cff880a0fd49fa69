// Section 4.6.
record R
  input Real u = 1;
end R;
model M
  R r;
end M;
// expect error: 3:14 a record cannot have inputs, as 'R' has; a model or a block can
