model M
  Real x(start = 0);
initial equation
  when time > 1 then
    x = 1;
  end when;
equation
  der(x) = 1;
end M;
// expect error: 4:3 'when' cannot be used in an initial equation section
