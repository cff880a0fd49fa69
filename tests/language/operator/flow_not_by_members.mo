operator record C
  Real x;
  operator function '+'
    input C a;
    input C b;
    output C r;
  algorithm
    r := C(a.x + 2*b.x);
  end '+';
  operator function '-'
    input C a;
    output C r;
  algorithm
    r := C(-a.x);
  end '-';
  operator function '0'
    output C r;
  algorithm
    r := C(0);
  end '0';
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
// expect error: 24:8 'C' cannot be a flow variable: its operators '+', '-' and '0' do not work member by member, as connections do
