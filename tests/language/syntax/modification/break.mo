model A
  extends B(x = break, y(start = break) = break);
  C c(p = break);
end A;
