model M
  Integer n = 1;
  Integer m = pre(n + 1);
end M;
// expect error: 3:19 the argument of 'pre' must be a variable
