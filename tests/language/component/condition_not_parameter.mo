model A
  Real x = 1;
end A;
model M
  A a if time > 1;
end M;
// expect error: 5:10 the condition of a component must be known before the run: 'time' has no value before the run
