model A
equation
  x = a + b - c * d / e ^ f;
  x = a .+ b .- c .* d ./ e .^ f;
  x = (a + b) * c - (d - (e - f)) / (g / h) ^ (i ^ j);
  x = -a + b;
  x = -(a + b);
  x = -a * b;
  x = (-a) * b;
  x = a * (-b);
  x = -a ^ b;
  x = (-a) ^ (-b);
  x = +a - (+b) .+ (.-c);
  x = a - (b + c) - (d - e);
  x = a / (b * c);
  x = a or b and not c or not (d and e);
  x = not (not a);
  x = (a or b) and (c or d);
  x = a < b and c <= d or e > f and g >= h or i == j and k <> l;
  x = (a < b) == (c < d);
  x = not a == b;
  x = (not a) == b;
  x = 2 ^ (3 ^ 4) + (2 ^ 3) ^ 4;
end A;
