model M
  discrete Real a, b;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  when x > 1 then
    a = 1;
    b = 1;
  elsewhen x > 2 then
    b = 2;
    reinit(x, 0);
  end when;
end M;
// expect error: 9:3 this branch of 'when' does not assign 'a', as another one does; to keep its value: a = pre(a)
