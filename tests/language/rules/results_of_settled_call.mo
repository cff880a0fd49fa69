// A call with known arguments and several results stays one.
function f
  input Integer a;
  output Integer x;
  output Integer y;
algorithm
  x := a;
  y := 2*a;
end f;
model M
  Integer x;
  Integer y;
equation
  (x, y) = f(3);
end M;
// expect flat:
// function f
//   input Integer a;
//   output Integer x;
//   output Integer y;
// algorithm
//   x := a;
//   y := 2*a;
// end f;
// model M
//   Integer x;
//   Integer y;
// equation
//   (x, y) = f(3);
// end M;
