model M
  Real x;
  Real y;
equation
  if time > 1 then
    x = 1;
    y = 2;
  else
    x = 3;
  end if;
end M;
// expect error: 5:3 the branches of this 'if' have different numbers of equations: 2 and 1
