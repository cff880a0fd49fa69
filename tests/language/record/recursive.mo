record R
  Real x;
  R next;
end R;
model M
  R r;
end M;
// expect error: 3:3 component 'next' of type 'R' contains itself
