model A
equation
  if a > b
    x = 1;
  end if;
  when c
    x = 1;
  end when;
  y = 2;
end A;
// expect error: 4:5 expected 'then' behind the condition, found identifier 'x'
// expect error: 7:5 expected 'then' behind the condition, found identifier 'x'
