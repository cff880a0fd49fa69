within Nowhere;
model M
  Real x = 1;
end M;
// expect error: 1:8 there is no package 'Nowhere'
// expect note: 1:8 by 'within', the file belongs to this package
