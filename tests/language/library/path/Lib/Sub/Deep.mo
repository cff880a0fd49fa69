within Lib.Sub;
model Deep
  Real z = c*k;
end Deep;
