// Section 4.4.2.2: prefixes are for values.
model A
  Real x = 1;
end A;
model M
  parameter A a;
end M;
// expect error: 6:15 'a' cannot be 'parameter': 'A' is a model; types and records can
