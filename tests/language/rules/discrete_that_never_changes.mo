// Section 4.4.4.
model M
  discrete Real x = 1;
end M;
// expect error: 3:21 'x' is declared discrete, but never changes: no 'when' assigns it; make it a parameter
