function trace
  input Real a[:, size(a, 1)];
  output Real y;
algorithm
  y := sum(a[i, i] for i in 1:size(a, 1));
end trace;
model M
  constant Real c = trace([1, 2; 3, 4]);
  Real x = c*trace([time, 0; 0, 1]);
end M;
// expect flat:
// function trace
//   input Real a[:, size(a, 1)];
//   output Real y;
// algorithm
//   y := sum({a[i, i] for i in 1:size(a, 1)});
// end trace;
// model M
//   constant Real c = 5.0;
//   Real x;
// equation
//   x = 5.0*trace({{time, 0.0}, {0.0, 1.0}});
// end M;
