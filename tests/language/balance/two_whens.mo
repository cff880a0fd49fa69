// Two clauses for one variable: what is meant is one clause with two conditions.
model M
  Real T(start = 15, fixed = true);
  Boolean on(start = true, fixed = true);
equation
  der(T) = if on then 1 else -1;
  when T > 21 then
    on = false;
  end when;
  when T < 19 then
    on = true;
  end when;
end M;
// expect error: 2:7 model 'M' is not balanced: it has 2 unknowns and 3 equations; 1 equation too many
// expect note: 7:3 'on' gets a value here; one clause can give it several, with 'elsewhen'
// expect note: 10:3 'on' gets a value here; one clause can give it several, with 'elsewhen'
