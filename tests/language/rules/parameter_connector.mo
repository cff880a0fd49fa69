// Section 9.3.
connector C
  input Real u;
end C;
model M
  parameter C c;
end M;
// expect error: 6:15 'c' cannot be 'parameter': 'C' is a connector
