model M
  Real x;
equation
  if time > 1 then
    x = 1;
  end if;
end M;
// expect error: 4:3 the branches of this 'if' have different numbers of equations: 1 and 0; if its condition can change, 'else' needs as many
// expect note: 4:3 what happens once, when a condition becomes true, stands in 'when'
