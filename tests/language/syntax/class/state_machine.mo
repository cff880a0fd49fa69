// Continuous states need no new syntax.
model A
  model Fall
    outer output Real h;
  equation
    der(h) = v;
  end Fall;
  inner Real h(start = 1);
  Fall fall;
  Fall rest;
equation
  initialState(fall);
  transition(fall, rest, h < 0, immediate = true, reset = false, synchronize = false, priority = 1);
  when activeState(rest) then
    reinit(fall.h, 0);
  end when;
end A;
