// Section 4.4.2.2: a prefix on what has one.
connector C
  input Real u;
end C;
model M
  output C c;
end M;
// expect error: 3:14 'u' is 'input', and 'c', which it belongs to, has a prefix of that sort already
