package Math
  partial function AxisLeft
  end AxisLeft;
  function sin
    extends AxisLeft;
    input Real u(unit = "rad");
    output Real y;
  external "builtin" y = sin(u);
  end sin;
  function atan2
    input Real u1;
    input Real u2;
    output Real y;
  external "builtin" y = atan2(u1, u2);
  end atan2;
end Math;
model M
  import Math.*;
  constant Real s = Math.sin(0);
  Real x = sin(time) + s;
  Real y = Math.atan2(u2 = 1, u1 = time);
  Real v[2] = Math.sin({time, 2});
end M;
// expect flat:
// model M
//   constant Real s = 0.0;
//   Real x;
//   Real y;
//   Real 'v[1]';
//   Real 'v[2]';
// equation
//   x = sin(time) + 0.0;
//   y = atan2(time, 1.0);
//   'v[1]' = sin(time);
//   'v[2]' = 0.9092974268256817;
// end M;
