model M
  const Real k = 3;
  paramter Real q = 2;
  Real x = k;
end M;
// expect error: 2:3 'const' is no prefix of a declaration; did you mean 'constant'?
// expect error: 3:3 'paramter' is no prefix of a declaration; did you mean 'parameter'?
