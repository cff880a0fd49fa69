model M
  Integer n(start = 0, fixed = true);
equation
  when time > 1 then
    n = pre(n) + 1;
    reinit(n, 0);
  end when;
end M;
// expect error: 6:12 'reinit' needs a Real variable
