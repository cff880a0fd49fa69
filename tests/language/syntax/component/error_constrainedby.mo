model A
  Real x constrainedby B;
end A;
// expect error: 2:10 'constrainedby' says what may replace something, so it needs 'replaceable'
