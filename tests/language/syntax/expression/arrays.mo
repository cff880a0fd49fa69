model A
equation
  x = {1, 2, 3};
  x = {{1, 2}, {3, 4}};
  x = [1];
  x = [1, 2; 3, 4];
  x = [a, b; [c; d], {e}];
  x = {i ^ 2 for i in 1:3};
  x = {i * j for i in 1:3, j in 1:2};
  x = {{i + j for i in 1:2} for j in 1:2};
  x = {a[i] for i};
  x = sum(x[i] for i in 1:n);
  x = max(i * j for i in 1:3, j in {2, 4} );
  x = array(i for i in E);
  x = {(if i > 1 then 1 else 2) for i in 1:3};
end A;
