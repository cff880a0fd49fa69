function g
  input Real y;
  input Real p;
  output Real x;
algorithm
  x := y/p;
end g;
function two
  input Real y;
  output Real x;
  output Real z;
algorithm
  x := y;
  z := y;
end two;
function integer
  input Real y;
  output Integer n;
algorithm
  n := 1;
end integer;
function f
  input Real x;
  input Real p;
  input Boolean b = true;
  output Real y;
protected
  Real local;
algorithm
  y := x*p;
  annotation(inverse(
    z = g(y, p),
    x = missing(y),
    x = 1,
    x = two(y),
    x = .integer(y),
    x = g(y, p, p),
    x = g(y),
    x = g(x, p),
    x = g(p, p),
    x = g(y, local),
    x = g(y, b),
    x = g(y, q = p),
    x = g(y, y = y, p = p),
    p = g(y, x)));
end f;
function several
  input Real x;
  output Real y;
  output Real z;
algorithm
  y := x;
  z := x;
  annotation(inverse(x = two(y)));
end several;
model M
  Real x;
equation
  2*time = f(x, 3);
  several(time);
end M;
// expect error: 32:5 'z' is not an input of 'f'
// expect error: 33:9 there is no function 'missing'
// expect error: 34:5 an inverse is written as input = function(arguments)
// expect error: 35:9 'two' has 2 outputs; an inverse must have one
// expect error: 36:9 'integer' gives Integer, but input 'x' of 'f' is Real
// expect error: 37:9 function 'g' takes 2 arguments, but 3 are given
// expect error: 38:9 input 'p' of function 'g' is missing
// expect error: 39:11 the inverse computes 'x', so it cannot take it as an argument
// expect error: 40:9 an inverse of 'f' needs its output 'y' as an argument
// expect error: 41:14 an inverse takes the inputs and the output of 'f'
// expect error: 42:14 'b' is Boolean, but input 'p' of 'g' is Real
// expect error: 43:14 function 'g' has no input 'q'
// expect error: 44:18 input 'y' of 'g' is given twice
// expect error: 54:22 'several' has 2 outputs; only a function with one has an inverse
