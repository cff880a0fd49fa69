// A size may be one of the sizes before it (section 10.1): a square matrix.
block Linear
  parameter Real A[:, size(A, 1)] = [1, 0; 0, 1];
  Real B[size(A, 1), 2 * size(B, 1) - 1] = fill(time, size(A, 1), 2 * size(A, 1) - 1);
end Linear;
model M
  Linear one(A = [3]);
  Linear two;
end M;
// expect flat:
// model M
//   parameter Real 'one.A[1,1]' = 3.0;
//   Real 'one.B[1,1]';
//   parameter Real 'two.A[1,1]' = 1.0;
//   parameter Real 'two.A[1,2]' = 0.0;
//   parameter Real 'two.A[2,1]' = 0.0;
//   parameter Real 'two.A[2,2]' = 1.0;
//   Real 'two.B[1,1]';
//   Real 'two.B[1,2]';
//   Real 'two.B[1,3]';
//   Real 'two.B[2,1]';
//   Real 'two.B[2,2]';
//   Real 'two.B[2,3]';
// equation
//   'one.B[1,1]' = time;
//   'two.B[1,1]' = time;
//   'two.B[1,2]' = time;
//   'two.B[1,3]' = time;
//   'two.B[2,1]' = time;
//   'two.B[2,2]' = time;
//   'two.B[2,3]' = time;
// end M;
