model HotPlate "Heat equation on a square, a two-dimensional array"
  parameter Integer n = 8 "Inner points in each direction";
  constant Real pi = 3.14159265358979323846;
  Real T[n, n](start = {{sin(pi * i / (n + 1)) * sin(2 * pi * j / (n + 1)) for j in 1:n}
                        for i in 1:n}, each fixed = true);
equation
  for i in 1:n loop
    for j in 1:n loop
      der(T[i, j]) = (n + 1) ^ 2 * ((if i > 1 then T[i - 1, j] else 0)
        + (if i < n then T[i + 1, j] else 0) + (if j > 1 then T[i, j - 1] else 0)
        + (if j < n then T[i, j + 1] else 0) - 4 * T[i, j]);
    end for;
  end for;
  annotation(experiment(StopTime = 0.05));
end HotPlate;
