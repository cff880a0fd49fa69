function square
  input Real x;
  output Real y;
algorithm
  y := x^2;
end square;
model M
  Real y = square(time);
  parameter Real p = square(3);
end M;
// expect flat:
// function square
//   input Real x;
//   output Real y;
// algorithm
//   y := x^2.0;
// end square;
// model M
//   Real y;
//   parameter Real p = square(3.0);
// equation
//   y = square(time);
// end M;
