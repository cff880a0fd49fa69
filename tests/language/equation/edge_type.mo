model M
  Integer n = 1;
  Boolean b = edge(n);
end M;
// expect error: 3:20 the argument of 'edge' must be Boolean, but this is Integer
