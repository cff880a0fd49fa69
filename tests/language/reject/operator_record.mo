operator record Complex
  Real re;
  Real im;
end Complex;
model M
  Complex c;
end M;
// expect error: 6:3 operator records are not supported ('Complex')
