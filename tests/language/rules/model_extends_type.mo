// Section 7.1.3: who may extend whom.
type Base = Real;
model Derived
  extends Base;
end Derived;
model M
  Derived d;
end M;
// expect error: 4:11 the model 'Derived' cannot extend 'Base', which is a type, only a model, a record or a block
