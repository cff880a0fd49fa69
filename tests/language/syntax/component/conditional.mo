model A
  B b if use;
  C c[3](each x = 1) if n > 2 and not (use or other) "maybe";
  Real d = 3 if true;
end A;
