model M
  block Up
    outer Real x;
  equation
    der(x) = 1;
  end Up;
  block Down
    outer output Real x;
  equation
    der(x) = -1;
  end Down;
  inner Real x(start = 0, fixed = true);
  Up up;
  Down down;
equation
  initialState(up);
  transition(up, down, x > 1);
end M;
// expect error: 13:6 state 'up' is not balanced: it has 0 unknowns and 1 equation
// expect note: 3:16 'x' is not an output of the state, which has an equation for it; 'outer output' is right
