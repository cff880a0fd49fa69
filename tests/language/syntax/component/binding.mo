model A
  Real a = 1;
  Real b(start = 1) = 2;
  Real c := 3;
  Real d(start = 1, fixed = true);
  Real e = if a > 1 then 2 else 3;
  Integer f[3] = 1:3;
  Real g = break;
end A;
