model A
equation
  x = 1;
  end if;
  y = 2;
end A;
// expect error: 4:3 'end if' without 'if'
