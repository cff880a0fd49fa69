model M
  parameter Real v[2] = {1, 2};
  Real a[2] = promote(v);
  Real b[2] = promote({{1, 2}}, 1);
end M;
// expect error: 3:15 'promote' takes 2 arguments, but 1 is given
// expect error: 4:15 'promote' cannot make 1 dimensions of 2
