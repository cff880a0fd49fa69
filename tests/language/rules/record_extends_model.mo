// Section 7.1.3: who may extend whom.
model Base
  Real x = 1;
end Base;
record Derived
  extends Base;
end Derived;
model M
  Derived d;
end M;
// expect error: 6:11 the record 'Derived' cannot extend 'Base', which is a model, only a record
