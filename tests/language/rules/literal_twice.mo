// Section 4.8.5.
type E = enumeration(a, b, a);
model M
  E e = E.b;
end M;
// expect error: 2:28 'E' has the literal 'a' already
