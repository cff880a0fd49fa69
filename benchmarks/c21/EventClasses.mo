package EventClasses "One small model for each class of events of C21, and events of several classes"

  model SE_P "A parameter changes: the brake"
    Real v(start = 1, fixed = true);
    discrete Real d(start = 0.5, fixed = true) "damping";
  equation
    der(v) = -d * v;
    when v < 0.5 then
      d = 2;
    end when;
    annotation(experiment(StopTime = 3));
  end SE_P;

  model SE_I "An input changes at a time that is known"
    Real x(start = 0, fixed = true);
    Real u = if time < 1 then 0 else 1 "input";
  equation
    der(x) = u - x;
    annotation(experiment(StopTime = 3));
  end SE_I;

  model SE_X "A state changes: the bounce"
    Real x(start = 1, fixed = true), v(start = 0, fixed = true);
  equation
    der(x) = v;
    der(v) = -9.81;
    when x <= 0 then
      reinit(v, -0.8 * pre(v));
    end when;
    annotation(experiment(StopTime = 1));
  end SE_X;

  model SE_F "The right-hand side changes: another law of growth"
    Real x(start = 0.1, fixed = true);
  equation
    der(x) = if x < 1 then x else 1 - x / 4;
    annotation(experiment(StopTime = 4));
  end SE_F;

  model Sliding "A state of SE_S: two differential states"
    outer output Real x, v;
  equation
    der(x) = v;
    der(v) = -2 * v - 0.1;
  end Sliding;

  model Stuck "A state of SE_S: one differential state"
    outer output Real x, v;
  equation
    der(x) = v;
    v = 0;
  end Stuck;

  model SE_S "The structure changes: from two states to one"
    inner Real x(start = 0, fixed = true), v(start = 1, fixed = true);
    Sliding sliding;
    Stuck stuck;
  equation
    initialState(sliding);
    transition(sliding, stuck, v <= 0, reset = false);
    annotation(experiment(StopTime = 3));
  end SE_S;

  model SE_O "Only an output is traced: the largest height"
    Real x(start = 0, fixed = true), v(start = 5, fixed = true);
    discrete output Real height(start = 0, fixed = true);
  equation
    der(x) = v;
    der(v) = -9.81;
    when v <= 0 then
      height = x;
    end when;
    annotation(experiment(StopTime = 1));
  end SE_O;

  model Slow "A state of SE_A"
    outer output Real x;
  equation
    der(x) = -x;
  end Slow;

  model Fast "A state of SE_A that wants another algorithm"
    outer output Real x;
  equation
    der(x) = -x;
    annotation(__Saltus(solver = "rodas", relativeTolerance = 1e-8));
  end Fast;

  model SE_A "The algorithm changes: solver and tolerance"
    inner Real x(start = 1, fixed = true);
    Slow slow;
    Fast fast;
  equation
    initialState(slow);
    transition(slow, fast, x < 0.5, reset = false);
    annotation(experiment(StopTime = 3));
  end SE_A;
end EventClasses;
