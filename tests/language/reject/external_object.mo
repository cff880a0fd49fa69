class Table
  extends ExternalObject;
end Table;
model M
  Table t;
end M;
// expect error: 5:3 external objects are not supported
