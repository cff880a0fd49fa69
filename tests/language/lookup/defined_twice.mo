model A
  Real x = 1;
end A;
model A
  Real x = 2;
end A;
// expect error: 4:7 'A' is defined twice
// expect note: 1:7 the first one is here
