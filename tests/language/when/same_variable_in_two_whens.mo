model M
  Integer n(start = 0, fixed = true);
equation
  when time > 1 then
    n = 1;
  end when;
  when time > 2 then
    n = 2;
  end when;
end M;
// expect error: 1:7 model 'M' is not balanced: it has 1 unknown and 2 equations; 1 equation too many
