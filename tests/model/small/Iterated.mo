model Iterated "twenty-eight rounds of a map that occurs twice in itself"
  Real x;
algorithm
  x := 0.3 + 0.01*time;
  for k in 1:28 loop
    x := 3.7*x*(1 - x);
  end for;
end Iterated;
