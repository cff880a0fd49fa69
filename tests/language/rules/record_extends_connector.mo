// Section 7.1.3: who may extend whom.
connector Base
  Real v;
  flow Real i;
end Base;
record Derived
  extends Base;
end Derived;
model M
  Derived d;
end M;
// expect error: 7:11 the record 'Derived' cannot extend 'Base', which is a connector, only a record
