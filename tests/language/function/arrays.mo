function mean
  input Real v[:];
  output Real m;
protected
  Integer n = size(v, 1);
algorithm
  m := 0;
  for i in 1:n loop
    m := m + v[i]/n;
  end for;
end mean;
function scale
  input Real v[:];
  input Real k;
  output Real w[size(v, 1)];
algorithm
  w := k*v;
end scale;
model M
  Real x[3] = {1, time, 3};
  Real m = mean(x);
  Real y[3] = scale(x, 2);
  Real z = sum(scale({1, time}, 3));
end M;
// expect flat:
// function mean
//   input Real v[:];
//   output Real m;
//   protected Integer n = size(v, 1);
// algorithm
//   m := 0.0;
//   for i in 1:n loop
//     m := m + v[i]/n;
//   end for;
// end mean;
// function scale
//   input Real v[:];
//   input Real k;
//   output Real w[size(v, 1)];
// algorithm
//   w := k*v;
// end scale;
// model M
//   Real 'x[1]';
//   Real 'x[2]';
//   Real 'x[3]';
//   Real m;
//   Real 'y[1]';
//   Real 'y[2]';
//   Real 'y[3]';
//   Real z;
// equation
//   'x[1]' = 1.0;
//   'x[2]' = time;
//   'x[3]' = 3.0;
//   m = mean({'x[1]', 'x[2]', 'x[3]'});
//   'y[1]' = (scale({'x[1]', 'x[2]', 'x[3]'}, 2.0))[1];
//   'y[2]' = (scale({'x[1]', 'x[2]', 'x[3]'}, 2.0))[2];
//   'y[3]' = (scale({'x[1]', 'x[2]', 'x[3]'}, 2.0))[3];
//   z = (scale({1.0, time}, 3.0))[1] + (scale({1.0, time}, 3.0))[2];
// end M;
