// Which Integer would be the greatest depends on where its value goes.
model M
  Integer n[0];
  Integer x = max(n);
end M;
// expect error: 4:19 the argument of 'max' must be an array with elements, but this is Integer[0]
