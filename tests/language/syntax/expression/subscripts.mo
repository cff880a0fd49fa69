model A
equation
  x = a[1];
  x = a[1, 2, 3];
  x = a[:];
  x = a[:, 1];
  x = a[end];
  x = a[end - 1, 1:end];
  x = a[b[end], end];
  x = a[2 * end:-1:1];
  x = a[f(end)];
  x = a[{1, 3}].b[2:3].c;
  x = a[E.one];
  x = a[if b then 1 else 2];
  x = a[(end)];
end A;
