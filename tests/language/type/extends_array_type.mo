// A long definition has the dimensions of the type that it extends (section 4.8 with 10.1).
type Matrix = Real[2, 3];
type Orientation
  extends Matrix;
end Orientation;
model M
  Orientation R[1](each start = 1);
  parameter Integer n[3] = size(R);
equation
  R[1] = {{1, 2, 3}, {4, 5, 6}};
end M;
// expect flat:
// model M
//   Real 'R[1,1,1]'(start = 1.0);
//   Real 'R[1,1,2]'(start = 1.0);
//   Real 'R[1,1,3]'(start = 1.0);
//   Real 'R[1,2,1]'(start = 1.0);
//   Real 'R[1,2,2]'(start = 1.0);
//   Real 'R[1,2,3]'(start = 1.0);
//   parameter Integer 'n[1]' = 1;
//   parameter Integer 'n[2]' = 2;
//   parameter Integer 'n[3]' = 3;
// equation
//   'R[1,1,1]' = 1.0;
//   'R[1,1,2]' = 2.0;
//   'R[1,1,3]' = 3.0;
//   'R[1,2,1]' = 4.0;
//   'R[1,2,2]' = 5.0;
//   'R[1,2,3]' = 6.0;
// end M;
