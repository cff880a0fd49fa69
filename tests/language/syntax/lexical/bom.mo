model A "with a byte order mark"
  Real x;
end A;
