model M
  Real x = sample(time, Clock(1, 10));
  Real y;
equation
  when x > 0.5 then
    y = time;
  end when;
end M;
// expect error: 2:12 this is clocked, but what it is linked with, 'y', is not
