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
  A a;
  A b;
equation
  when time > 1 then
    connect(a.p, b.p);
  end when;
end M;
// expect error: 15:5 'connect' cannot be used in 'when'
