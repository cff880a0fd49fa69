// Section 7.1.3: who may extend whom.
model Base
  Real x = 1;
end Base;
connector Derived
  extends Base;
end Derived;
model M
  Derived d;
end M;
// expect error: 6:11 the connector 'Derived' cannot extend 'Base', which is a model, only a record, an operator record, a connector or a type
