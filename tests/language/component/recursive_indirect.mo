model A
  B b;
end A;
model B
  A a;
end B;
// expect error: 2:3 component 'b' of type 'B' contains itself
