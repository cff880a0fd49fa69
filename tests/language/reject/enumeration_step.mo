model M
  type E = enumeration(a, b, c, d);
  Integer n, k;
  Boolean x[:] = false:1:true;
algorithm
  n := 0;
  for e in E.a:2:E.d loop
    n := n + Integer(e);
  end for;
  k := 0;
  for e in E.a:E.d loop
    k := k + Integer(e);
  end for;
end M;
// expect error: 4:24 a range of Boolean has no step
// expect error: 7:16 a range of M.E has no step
