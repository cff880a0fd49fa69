// The functions of C's library that Modelica has as well are those of Modelica.
model M
  function arc
    input Real u;
    output Real y;
    external "C" y = asin(u);
  end arc;
  function angle
    input Real a, b;
    output Real y;
    external y = atan2(a, b) annotation(Include = "#include <math.h>");
  end angle;
  constant Real pi = 2 * arc(1.0);
  Real x = pi * time;
  Real y = angle(a = x, b = arc(time));
end M;
// expect flat:
// model M
//   constant Real pi = 3.141592653589793;
//   Real x;
//   Real y;
// equation
//   x = 3.141592653589793*time;
//   y = atan2(x, asin(time));
// end M;
