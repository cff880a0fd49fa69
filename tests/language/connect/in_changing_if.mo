connector Pin
  Real v;
  flow Real i;
end Pin;
model A
  Pin p;
equation
  p.v = p.i + 1;
end A;
model M
  A a;
  A b;
equation
  if time > 1 then
    connect(a.p, b.p);
  end if;
end M;
// expect error: 15:5 'connect' in an 'if' needs a condition that is known before the run
