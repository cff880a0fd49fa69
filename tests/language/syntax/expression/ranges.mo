model A
equation
  x = 1:n;
  x = 1:2:n;
  x = n:-1:1;
  x = (1:2):(3:4);
  x = a + 1:b * 2;
  x = {1:3, 2:4};
  x = f(1:3, y = 2:4);
  x = if a then 1:2 else 3:4;
  x = a or b:c and d;
end A;
