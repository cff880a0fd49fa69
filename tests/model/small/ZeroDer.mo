model ZeroDer "no states at all"
  parameter Integer n = 0;
  Real x[n], s = sum(x) + time;
equation
  der(x) = zeros(n);
end ZeroDer;
