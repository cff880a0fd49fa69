connector Pin
  Real v;
  flow Real i;
end Pin;
model A
  Pin p;
equation
  p.v = 1;
end A;
model M
  A a[2];
equation
  for i in 1:2 loop
    connect(a[i].p, a[i + 1].p);
  end for;
end M;
// expect error: 14:23 subscript 3 is not between 1 and 2
