model M
  Integer n(start = 0, fixed = true);
equation
  when time > 1 then
    n = pre(n) + 0.5;
  end when;
end M;
// expect error: 5:5 the left side is Integer and cannot get the Real value of the right
