model M
  Real x(start = 0);
equation
  when time > 1 then
    when time > 2 then
      x = 1;
    end when;
  end when;
end M;
// expect error: 5:5 'when' cannot be used in another 'when'
