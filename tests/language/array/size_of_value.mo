// A size can depend on sizes of the array before it, but not on its elements, nor on itself.
model M
  parameter Integer a[:, sum(a)] = [2, 2];
  parameter Real b[:, size(b, 2)] = [1];
  parameter Real c[size(c, 2), :] = [1];
end M;
// expect error: 3:21 the type or the size of 'a' depends on itself
// expect error: 4:31 Real[1] has no dimension 2
// expect error: 5:18 the type or the size of 'c' depends on itself
