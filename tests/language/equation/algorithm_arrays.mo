model M
  Real x[2];
  Real y[2];
algorithm
  x := {time, 2*time};
  y := x;
  y := {y[2], y[1]};
end M;
// expect flat:
// function '(Real, Real)'
//   input Real x1;
//   input Real x2;
//   output Real y1;
//   output Real y2;
// algorithm
//   y1 := x1;
//   y2 := x2;
// end '(Real, Real)';
// model M
//   Real 'x[1]';
//   Real 'x[2]';
//   Real 'y[1]';
//   Real 'y[2]';
// algorithm
//   'x[1]' := time;
//   'x[2]' := 2.0*time;
//   'y[1]' := 'x[1]';
//   'y[2]' := 'x[2]';
//   ('y[1]', 'y[2]') := '(Real, Real)'('y[2]', 'y[1]');
// end M;
