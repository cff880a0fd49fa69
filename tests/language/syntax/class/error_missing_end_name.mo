model A
  Real x;
end;
model B
end B;
// expect error: 3:4 expected 'end A', found ';'
// expect note: 1:7 class 'A' begins here
