model M
  Real x;
equation
  when time > 1 then
    x + 1 = 2;
  end when;
end M;
// expect error: 5:5 the left side of an equation in 'when' must be a variable, to get a value
