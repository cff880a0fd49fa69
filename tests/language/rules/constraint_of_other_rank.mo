// Section 7.3.2.
type V = Real[3];
type W = Real[2, 3];
model M
  replaceable V x[2] = ones(2, 3) constrainedby W;
end M;
// expect error: 5:17 'V' cannot take this place: it has 1 dimension, not 2
