function factorial
  input Integer n;
  output Integer f;
algorithm
  f := if n <= 1 then 1 else n*factorial(n - 1);
end factorial;
model M
  constant Integer n = factorial(4);
  Real x = n;
  Integer k = factorial(integer(time));
end M;
// expect flat:
// function factorial
//   input Integer n;
//   output Integer f;
// algorithm
//   f := if n <= 1 then 1 else n*factorial(n - 1);
// end factorial;
// model M
//   constant Integer n = 24;
//   Real x;
//   Integer k;
// equation
//   x = 24.0;
//   k = factorial(integer(time));
// end M;
