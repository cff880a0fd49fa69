function f
  input Real x;
  input Integer n;
  input Real v[2];
  input Real z;
  output Real y;
algorithm
  y := x^n;
  annotation(derivative(noDerivative = z) = df);
end f;
function df
  input Real x;
  input Integer n;
  input Real v[2];
  input Real z;
  input Real dx;
  input Real dv[2];
  output Real dy;
algorithm
  dy := dx;
end df;
function count
  input Real x;
  output Integer n;
algorithm
  n := 1;
end count;
impure function dice
  input Real x;
  output Real y;
algorithm
  y := x;
end dice;
record R
  Real x;
end R;
function g1 = der(f, n);
function g2 = der(f, v);
function g3 = der(f, w);
function g4 = der(f, z);
function g5 = der(count, x);
function g6 = der(dice, x);
function g7 = der(g7, x);
function g8 = der(g9, x);
function g9 = der(g8, x);
function g10 = der(R, x);
function g11 = der(sum, x);
function g12 = der(missing, x);
function g13 = der(count, x) "not used";
model M
  parameter Real v[2] = {1, 2};
  Real a[:] = {
    g1(time, 2, v, 1),
    g2(time, 2, v, 1),
    g3(time, 2, v, 1),
    g4(time, 2, v, 1),
    g5(time),
    g6(time),
    g7(time),
    g8(time),
    g9(time),
    g10(time),
    g11(time),
    g12(time)};
end M;
// expect error: 37:22 'n' is Integer, but a function is differentiated by scalar Reals
// expect error: 38:22 'v' is Real[2], but a function is differentiated by scalar Reals
// expect error: 39:22 'w' is not an input of 'f'
// expect error: 40:22 the annotation 'derivative' of 'f' excludes 'z'
// expect error: 41:19 output 'n' of 'count' is Integer and has no derivative
// expect error: 42:19 'dice' is impure and has no derivative
// expect error: 43:19 'g7' is the derivative of itself
// expect error: 45:19 'g8' is the derivative of itself
// expect error: 46:20 'R' is a record, but only functions have partial derivatives
// expect error: 47:20 'sum' is no function of numbers: write a function that calls it
// expect error: 48:20 there is no function 'missing'
