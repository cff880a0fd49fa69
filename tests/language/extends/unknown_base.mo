model M
  extends Bass;
  Real x = 1;
end M;
model Base
  Real y = 1;
end Base;
// model: M
// expect error: 2:11 there is no base class 'Bass' in 'M'; did you mean 'Base'?
