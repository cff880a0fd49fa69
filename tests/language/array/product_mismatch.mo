model M
  Real A[2, 3] = zeros(2, 3);
  Real v[2] = {1, 2};
  Real w[2] = A*v;
end M;
// expect error: 4:15 '*' cannot be applied to Real[2, 3] and Real[2]
