function f
  input Real u;
  output Real y;
algorithm
  y := u;
  if u > 1 then
    terminate("too large");
  end if;
end f;

model M
  constant Real y = f(0.5);
  Real x = f(time);
end M;
// expect error: 7:5 'terminate' cannot be used in a function
