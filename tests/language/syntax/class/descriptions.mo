model A "one line"
end A;
model B "joined " + "from " + "three"
  Real x "also " + "here";
end B;
model C
  "on a line of its own"
end C;
