model A
  parameter Real p = 1;
end A;
model M
  A a[3](p = {1, 2});
end M;
// expect error: 5:14 this modifies an array of components: the value must have the sizes [3] first, but it is Integer[2]; with 'each' all elements get the same value
