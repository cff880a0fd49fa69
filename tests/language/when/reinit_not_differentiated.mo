model M
  Real x(start = 1, fixed = true), y, z;
equation
  der(x) = 1;
  y = 2 * x;
  z = -x;
  when x > 2 then
    reinit(y, 0);
    reinit(z, -1);
  end when;
end M;
// expect error: 8:5 'y' cannot be reinitialised: der(y) occurs nowhere
