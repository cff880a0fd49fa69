connector Pin
  Real v;
  flow Real i;
end Pin;
model A
  Pin p[2];
  Pin q if cardinality(p[1]) > 0;
equation
  for k in 1:2 loop
    p[k].v = cardinality(p);
  end for;
  if cardinality(p[2]) > 0 then
    connect(p[1], p[2]);
  end if;
end A;
model M
  A a;
  Integer n = cardinality(1);
  Integer m = cardinality(a);
  Integer k = cardinality(a.p[1], a.p[2]);
end M;
// expect error: 7:12 'cardinality' has no value here: sizes, conditions of components and what decides about connections cannot depend on connections
// expect error: 12:6 'cardinality' has no value here: sizes, conditions of components and what decides about connections cannot depend on connections
// expect error: 10:26 'cardinality' takes one connector, but 'p' is an array of them
// expect error: 18:15 'cardinality' takes one connector
// expect error: 19:27 'a' is not a connector
// expect error: 20:15 'cardinality' takes one connector
