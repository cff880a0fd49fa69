class Table
  extends ExternalObject;
end Table;
model M
  Table t;
end M;
// expect error: 5:9 the external object 't' has no value: 't = Table(...)' makes one
