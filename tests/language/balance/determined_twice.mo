model M
  parameter Real p = 1;
  Real x(start = 0, fixed = true);
  discrete Real z;
equation
  der(x) = 1;
  when x > 1 then
    x = 0;
    z = 1;
  end when;
  z = 2;
  der(p) = 1;
end M;
// expect error: 1:7 model 'M' is not balanced: it has 2 unknowns and 5 equations; 3 equations too many
// expect note: 12:3 this equation contains no variable that it could determine
// expect note: 6:3 der(x) determines 'x'
// expect note: 7:3 'x' gets a value here; reinit(x, ...) changes a variable that is differentiated
// expect note: 11:3 an equation for 'z', which holds at all times; a value to begin with is its attribute 'start'
// expect note: 7:3 'z' gets a value here
