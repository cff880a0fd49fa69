model M
  model Switch
    input Boolean closed;
    Real v, i;
  protected
    Real hidden;
  end Switch;
  Switch sw;
equation
  sw.control = true;
end M;
// expect error: 10:6 'M.Switch' has no component 'control'; it has closed, v, i
