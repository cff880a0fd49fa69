model A
equation
  if a then
    x = 1;
  y = 2;
end A;
// expect error: 6:1 expected 'end if' before 'end A'
// expect note: 3:3 'if' begins here
