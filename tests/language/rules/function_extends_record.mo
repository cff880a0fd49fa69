// Section 7.1.3: who may extend whom.
record Base
  Real x;
end Base;
function Derived
  extends Base;
end Derived;
model M
  Real y = Derived(1);
end M;
// expect error: 6:11 the function 'Derived' cannot extend 'Base', which is a record, only a function or an operator function
