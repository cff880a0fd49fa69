// Every call is of another function.
partial function F
  input Real x;
  output Real y;
end F;
function more
  extends F;
  input F f;
algorithm
  y := f(x) + 1;
end more;
function endless
  input F f;
  input Real x;
  output Real y;
algorithm
  y := if x > 3 then f(x) else endless(function more(f = f), x + 1);
end endless;
model M
  Real y = endless(sin, time);
end M;
// expect error: 17:32 'endless' is called with more than 100 different functions as arguments
