model M
  Clock c;
  Real x(start = 0);
equation
  x = previous(x) + 1;
  when c then
    assert(time < 1, "late");
  end when;
end M;
// expect error: 5:7 the clock of 'x' is not determined
