function polar
  input Real x;
  input Real y;
  output Real r;
  output Real phi;
algorithm
  r := sqrt(x^2 + y^2);
  phi := atan2(y, x);
end polar;
function user
  input Real x;
  output Real z;
protected
  Real r;
  Real phi;
algorithm
  (r, phi) := polar(x, 1);
  z := r*phi;
end user;
model M
  Real r;
  Real phi;
  Real only;
  Real z = user(time);
equation
  (r, phi) = polar(time, 2);
  only = polar(1, time);
end M;
// expect flat:
// function user
//   input Real x;
//   output Real z;
//   protected Real r;
//   protected Real phi;
// algorithm
//   (r, phi) := polar(x, 1.0);
//   z := r*phi;
// end user;
// function polar
//   input Real x;
//   input Real y;
//   output Real r;
//   output Real phi;
// algorithm
//   r := sqrt(x^2.0 + y^2.0);
//   phi := atan2(y, x);
// end polar;
// model M
//   Real r;
//   Real phi;
//   Real only;
//   Real z;
// equation
//   z = user(time);
//   (r, phi) = polar(time, 2.0);
//   only = polar(1.0, time);
// end M;
