model A
equation
  x = end;
  x = end + 1;
  x = f(end);
  x = a[end];
end A;
// expect error: 3:7 expected an expression, found keyword 'end'
// expect error: 4:7 expected an expression, found keyword 'end'
// expect error: 5:9 expected an expression, found keyword 'end'
