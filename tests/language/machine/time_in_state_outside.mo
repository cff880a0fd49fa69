model M
  Real x = timeInState();
end M;
// expect error: 2:12 'timeInState' can only be used in the condition of a transition, or in a state
