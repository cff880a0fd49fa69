// Records of the same members are not the same if one is an operator record.
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
operator record D
  Real x;
end D;
record E
  Real x;
end E;
model M
  C c = D(1);
  D d = E(1);
  E e = C(1);
  C f = C(1) + D(1);
end M;
// expect error: 19:9 the binding of 'c' must be C, but this is D
// expect error: 20:9 the binding of 'd' must be D, but this is E
// expect error: 21:9 the binding of 'e' must be E, but this is C
// expect error: 22:9 '+' cannot be applied to C and D
