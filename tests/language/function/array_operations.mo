function f
  input Real A[:, :];
  input Real b[size(A, 1)];
  output Real x[size(A, 1)];
protected
  Real C[size(A, 1), size(A, 2)] = transpose(A)*A;
  Real d[:] = {b[i]*2 for i in 1:size(b, 1)};
algorithm
  x := C*d + cat(1, b[1:end - 1], {sum(b)});
  x[1] := max(x);
  x[end] := x[end] .* 2;
end f;
model M
  parameter Real y[2] = f([1, 2; 3, 4], {1, 1});
  constant Real z[2] = f([1, 2; 3, 4], {1, 1});
  Real w = z[1] + 1000*z[2];
end M;
// expect flat:
// function f
//   input Real A[:, :];
//   input Real b[size(A, 1)];
//   output Real x[size(A, 1)];
//   protected Real C[size(A, 1), size(A, 2)] = transpose(A)*A;
//   protected Real d[:] = {b[i]*2.0 for i in 1:size(b, 1)};
// algorithm
//   x := C*d + cat(1, b[1:size(b, 1) - 1], {sum(b)});
//   x[1] := max(x);
//   x[size(x, 1)] := x[size(x, 1)]*2.0;
// end f;
// model M
//   parameter Real 'y[1]' = (f({{1.0, 2.0}, {3.0, 4.0}}, {1.0, 1.0}))[1];
//   parameter Real 'y[2]' = (f({{1.0, 2.0}, {3.0, 4.0}}, {1.0, 1.0}))[2];
//   constant Real 'z[1]' = 70.0;
//   constant Real 'z[2]' = 140.0;
//   Real w;
// equation
//   w = 140070.0;
// end M;
