model M
  Real x;
equation
  if time then
    x = 1;
  else
    x = 2;
  end if;
end M;
// expect error: 4:6 a condition must be Boolean, but this is Real
