// Called in an expression, by a model and by a function.
function one
  output Real y;
algorithm
  y := 1;
end one;
function two
  output Real y;
algorithm
  y := one() + 1;
end two;
model M
  Real y = time + two();
end M;
// expect flat:
// function two
//   output Real y;
// algorithm
//   y := one() + 1.0;
// end two;
// function one
//   output Real y;
// algorithm
//   y := 1.0;
// end one;
// model M
//   Real y;
// equation
//   y = time + two();
// end M;
