model A
equation
  x = a[1 +
  end A;
// expect error: 4:3 expected an expression, found keyword 'end'
