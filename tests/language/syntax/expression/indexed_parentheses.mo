// Subscripts and members of an expression in parentheses.
model A
equation
  x = (a + b)[1, 2:end];
  x = (f(y)).z;
  x = (a)[1] + (b).c;
  x = (a, b)[1];
end A;
