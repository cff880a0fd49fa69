function f
  input Real x;
  input Real a = 2;
  input Real b = a + 1;
  output Real y = a*x + b;
algorithm
end f;
model M
  Real y1 = f(time);
  Real y2 = f(time, 5);
  Real y3 = f(x = time, b = 7);
  Real y4 = f(time, b = 7);
end M;
// expect flat:
// function f
//   input Real x;
//   input Real a = 2.0;
//   input Real b = a + 1.0;
//   output Real y = a*x + b;
// algorithm
// end f;
// model M
//   Real y1;
//   Real y2;
//   Real y3;
//   Real y4;
// equation
//   y1 = f(time, 2.0, 3.0);
//   y2 = f(time, 5.0, 6.0);
//   y3 = f(time, 2.0, 7.0);
//   y4 = f(time, 2.0, 7.0);
// end M;
