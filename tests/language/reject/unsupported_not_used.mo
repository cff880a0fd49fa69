package Library
  function f
    input Real x;
    output Real y;
  external "C" y = f(x);
  end f;
  connector S
    Real p;
    flow Real m;
    stream Real h;
  end S;
  expandable connector Bus
  end Bus;
  model Uses
    Real x = delay(time, 1);
    Clock c = Clock(0.1);
  end Uses;
  model Fine
    Real x = time;
  end Fine;
end Library;
model M
  Library.Fine fine;
end M;
// expect flat:
// model M
//   Real 'fine.x';
// equation
//   'fine.x' = time;
// end M;
