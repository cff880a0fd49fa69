impure function f
  input Real x;
  output Real y;
algorithm
  y := x;
end f;
model M
  Real y(start = 0);
equation
  when time > 1 then
    y = f(time);
  end when;
end M;
// expect flat:
// impure function f
//   input Real x;
//   output Real y;
// algorithm
//   y := x;
// end f;
// model M
//   discrete Real y(start = 0.0);
// equation
//   when time > 1.0 then
//     y = f(time);
//   end when;
// end M;
