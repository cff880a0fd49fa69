model A
equation
  if a = b then
    x = 1;
  elseif c := d then
    x = 2;
  end if;
  when a = 2 then
    x = 1;
  end when;
  y = if a = b then 1 else 2;
end A;
// expect error: 3:8 a condition compares with '==', not '='
// expect error: 5:12 a condition compares with '==', not ':='
// expect error: 8:10 a condition compares with '==', not '='
// expect error: 11:12 a condition compares with '==', not '='
