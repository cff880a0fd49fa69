// Section 7.1.3: who may extend whom.
function Base
  input Real u;
  output Real y;
algorithm
  y := u;
end Base;
model Derived
  extends Base;
end Derived;
model M
  Derived d;
end M;
// expect error: 9:11 the model 'Derived' cannot extend 'Base', which is a function, only a model, a record or a block
