// Section 13.2.1.
model A
  type T = Real;
end A;
model M
  import A.*;
  T x = 1;
end M;
// expect error: 6:3 'A' is a model: only elements of packages can be imported
// expect error: 7:3 there is no type 'T' in 'M'
