model A
equation
  x = 1
  y = 2
  if a then
    z = 3
  else
    z = 4
  end if
  when b then w = 1; end when
  connect(p, q)
end A;
// expect error: 3:8 missing ';' behind the equation
// expect error: 4:8 missing ';' behind the equation
// expect error: 6:10 missing ';' behind the equation
// expect error: 8:10 missing ';' behind the equation
// expect error: 9:9 missing ';' behind the equation
// expect error: 10:30 missing ';' behind the equation
// expect error: 11:16 missing ';' behind the equation
