model A
equation
  for i in 1:3 loop
    x[i] = 1;
  end if;
  if a then
    y = 1;
  end for;
  z = 1;
end A;
// expect error: 5:7 expected 'end for', found keyword 'if'
// expect note: 3:3 'for' begins here
// expect error: 8:7 expected 'end if', found keyword 'for'
// expect note: 6:3 'if' begins here
