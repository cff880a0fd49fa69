model A
  B b(final each x = 1);
  B c(inner x = 1);
  B d(redeclare inner Real x);
  B e(parameter Real x = 1);
end A;
// expect error: 2:13 'each' must stand before 'final'
// expect error: 3:7 'inner' needs 'redeclare' or 'replaceable' before it
// expect error: 4:17 'inner' cannot stand in a modifier
// expect error: 5:7 'parameter' needs 'redeclare' or 'replaceable' before it
