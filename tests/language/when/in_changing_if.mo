model M
  parameter Boolean isUsed = true;
  discrete Real a, b;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  if isUsed then
    when x > 1 then
      a = 1;
    end when;
  else
    a = 0;
  end if;
  if x > 0.5 then
    when x > 1 then
      b = 1;
    end when;
  else
    b = 0;
  end if;
end M;
// expect error: 15:5 'when' in an 'if' needs a condition that is known before the run; put the condition into the 'when': when a and b then ...
