model M
  Real m[2, 3] = zeros(2, 3);
  Integer a = size(m, 3);
  Integer b = size(m, 0);
end M;
// expect error: 3:23 Real[2, 3] has no dimension 3
// expect error: 4:23 Real[2, 3] has no dimension 0
