model A
equation
  x = 1 +
  if a then
    y = 1;
  end if;
  z = 2;
end A;
// expect error: 4:3 expected an expression, found keyword 'if'
