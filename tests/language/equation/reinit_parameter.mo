model M
  parameter Real p = 1;
equation
  when time > 1 then
    reinit(p, 2);
  end when;
end M;
// expect error: 5:12 'reinit' needs a Real variable
