// In another order, with a constant, with events, as a procedure: these are calls of C.
model M
  function swapped
    input Real a, b;
    output Real y;
    external "C" y = atan2(b, a);
  end swapped;
  function steps
    input Real a;
    output Real y;
    external "C" y = floor(a);
  end steps;
  function of_one
    input Real a;
    output Real y;
    external "C" y = hypot(a, 1);
  end of_one;
  Real x = swapped(time, 1);
  Real y = steps(time);
  Real z = of_one(time);
end M;
// expect error: 18:12 'M.swapped' is an external function: 'atan2' is none of those that Saltus has, and foreign code is not run without --allow-external
// expect error: 19:12 'M.steps' is an external function: 'floor' is none of those that Saltus has, and foreign code is not run without --allow-external
// expect error: 20:12 'M.of_one' is an external function: 'hypot' is none of those that Saltus has, and foreign code is not run without --allow-external
