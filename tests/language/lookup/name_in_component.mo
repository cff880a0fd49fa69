model Part
  Real x = time;
end Part;
model M
  Part a;
  Real y = x;
end M;
// expect error: 6:12 there is no variable 'x' in 'M'; did you mean 'a.x'?
