model A
  B b[3](each x = 1, final y = 2, each final z(final start = 3, each fixed = true));
end A;
