model A
  parameter Integer n = 3;
  Real a[:], b[:, :], c[n], d[n + 1, 2 * n], e[size(a, 1)];
  Real[:] f = {1, 2};
end A;
