type Base
  extends Real(unit = "m");
end Base;
type Derived
  extends Base(min = 0);
end Derived;
model M
  Derived x = time;
end M;
// expect flat:
// model M
//   Real x(unit = "m", min = 0.0);
// equation
//   x = time;
// end M;
