model A
equation
  (x, y) = (f(1));
  () = f(1);
  (x, ) = f(1);
  (, ) = f(1);
  (x, (y, z)) = f(1);
end A;
