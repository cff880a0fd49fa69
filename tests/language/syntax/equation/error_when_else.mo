model A
equation
  when a then
    x = 1;
  else
    x = 2;
  end when;
end A;
// expect error: 5:3 expected 'end when', found keyword 'else'
// expect note: 3:3 'when' begins here
