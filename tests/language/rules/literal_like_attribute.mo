// Section 4.8.5.
type E = enumeration(low, max);
model M
  E e = E.low;
end M;
// expect error: 2:27 a literal cannot be called 'max', as an attribute of 'E' is
