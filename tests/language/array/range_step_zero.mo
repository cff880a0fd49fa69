// The step of a range is not zero (section 10.4.3): in an equation, in a comprehension, and in
// functions that are evaluated before the run.
model M
  function f
    input Integer step;
    output Integer n = 0;
  algorithm
    for i in 1:step:3 loop
      n := n + 1;
    end for;
  end f;
  parameter Integer s = 0;
  Real x[3] = 1:0:3;
  Real y[:] = {i for i in 1:s:3};
  Real z[f(0)] = {1, 2, 3};
end M;
// expect error: 14:27 the step of a range cannot be 0
// expect error: 15:10 an array size must be known before the run: the step of a range is 0
// expect note: 8:14 here
// expect error: 13:15 the step of a range cannot be 0
