function f
  input Real x;
  output Integer n;
algorithm
  n := 0;
  while true loop
    n := n + 1;
  end while;
end f;
model M
  Real y[f(1)];
end M;
// expect error: 11:10 an array size must be known before the run: it takes more than 10000000 steps
// expect note: 7:14 here
