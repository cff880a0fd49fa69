model M
  Real x;
equation
  if time > 1 then
    x = 1;
  else
    x = 2;
  endif;
end M;
// expect error: 8:3 'endif' is written as two words, 'end if'
// expect error: 9:1 expected 'end if' before 'end M'
// expect note: 4:3 'if' begins here
