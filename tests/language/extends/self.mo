model A
  extends A;
end A;
// model: A
// expect error: 2:3 'A' extends itself
