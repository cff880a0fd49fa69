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
  Integer k = integer(time);
  A a[2];
  Pin p;
equation
  connect(a[k].p, p);
end M;
// expect error: 15:11 the subscripts in 'a[k].p' must be known before the run
