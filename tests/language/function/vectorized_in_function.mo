// A call is repeated over the elements of an array, also in a function (section 12.4.6).
record R
  Real X[2];
end R;
function pick
  input Real x;
  input Real y1;
  input Real y2;
  output Real y;
algorithm
  y := if x > 0 then y1 else y2;
end pick;
function mix
  input Real x;
  input R a;
  input R b;
  output R r;
algorithm
  r.X := pick(x, a.X, b.X);
end mix;
model M
  constant R a = R({1, 2});
  constant R b = R({3, 4});
  constant R c = mix(-1, a, b);
  parameter Real p[2] = c.X;
end M;
// expect flat:
// model M
//   constant Real 'a.X[1]' = 1.0;
//   constant Real 'a.X[2]' = 2.0;
//   constant Real 'b.X[1]' = 3.0;
//   constant Real 'b.X[2]' = 4.0;
//   constant Real 'c.X[1]' = 3.0;
//   constant Real 'c.X[2]' = 4.0;
//   parameter Real 'p[1]' = 3.0;
//   parameter Real 'p[2]' = 4.0;
// end M;
