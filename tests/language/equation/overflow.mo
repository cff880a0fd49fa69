// A quotient beyond the largest Real is computed in the run: no literal has its value.
model Overflow
  Real x = 1e300 / 1e-300;
end Overflow;
// expect flat:
// model Overflow
//   Real x;
// equation
//   x = 1e300/1e-300;
// end Overflow;
