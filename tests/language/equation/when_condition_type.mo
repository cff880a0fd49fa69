model M
  Real x;
equation
  when time then
    x = 1;
  end when;
end M;
// expect error: 4:8 the condition of 'when' must be Boolean, but this is Real
