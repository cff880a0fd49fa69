function f
algorithm
  while a loop
    x := 1;
  end for;
  for i in 1:3 loop
    y := 1;
end f;
// expect error: 5:7 expected 'end while', found keyword 'for'
// expect note: 3:3 'while' begins here
// expect error: 8:1 expected 'end for' before 'end f'
// expect note: 6:3 'for' begins here
