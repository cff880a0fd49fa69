function f
  input Real x;
  output Real y;
algorithm
  when x > 1 then
    y := 1;
  end when;
end f;
model M
  Real y = f(1);
end M;
// expect error: 5:3 'when' cannot be used in a function
