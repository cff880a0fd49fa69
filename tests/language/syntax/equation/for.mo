model A
equation
  for i in 1:3 loop
    x[i] = i;
  end for;
  for i in 1:2:5, j in {1, 2}, k in E, l loop
    for m loop connect(p[i, j, k, l, m], q); end for;
  end for "loops";
  for i in if b then 1:2 else 2:3 loop end for;
end A;
