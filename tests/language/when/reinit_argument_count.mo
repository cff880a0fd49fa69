model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -1;
  when x < 0 then
    reinit(x);
  end when;
end M;
// expect error: 6:5 'reinit' takes a variable and its new value
