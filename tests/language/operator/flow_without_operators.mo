operator record C
  Real x;
  operator function '+'
    input C a;
    input C b;
    output C r;
  algorithm
    r := C(a.x + b.x);
  end '+';
end C;
connector P
  C v;
  flow C i;
end P;
model M
  P p, q;
equation
  connect(p, q);
end M;
// expect error: 13:8 'C' cannot be a flow variable: connections need its operators '+', '-' and '0', and it has no '-' (section 9.2)
