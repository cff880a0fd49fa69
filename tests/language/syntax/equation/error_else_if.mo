model A
equation
  if a then
    x = 1;
  else if b then
    x = 2;
  else
    x = 3;
  end if;
end A;
// expect error: 10:1 expected 'end if' before 'end A'
// expect note: 3:3 'if' begins here
// expect note: 5:3 'else if' begins another 'if'; one more branch is 'elseif'
