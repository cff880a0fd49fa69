// The methods that states ask for are read in every machine.
model M
  model Mode
  end Mode;
  model Other
    annotation(__Saltus(slover = "rodas"));
  end Other;
  model Another
    annotation(__Saltus(solvers = "rodas"));
  end Another;
  Mode a;
  Another b;
  Mode c;
  Other d;
  Real x(start = 0, fixed = true);
equation
  der(x) = 1;
  initialState(a);
  transition(a, b, x > 1);
  initialState(c);
  transition(c, d, x > 2);
end M;
// expect warning: 9:25 '__Saltus' has no setting 'solvers'; did you mean 'solver'?
// expect warning: 6:25 '__Saltus' has no setting 'slover'; did you mean 'solver'?
// expect flat:
// model M
//   block '(state)'
//   end '(state)';
//   '(state)' a;
//   '(state)' b;
//   '(state)' c;
//   '(state)' d;
//   Real x(start = 0.0, fixed = true);
// equation
//   initialState(a);
//   transition(a, b, x > 1.0, immediate = true, reset = true, synchronize = false, priority = 1);
//   initialState(c);
//   transition(c, d, x > 2.0, immediate = true, reset = true, synchronize = false, priority = 1);
//   der(x) = 1.0;
// end M;
