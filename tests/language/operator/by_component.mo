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
model M
  C a = C(1);
  C b = a.'+'(a, a);
end M;
// expect error: 13:11 '+' is an operator function, which cannot be called by a component (section 5.3.2)
