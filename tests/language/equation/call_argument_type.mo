model M
  Real x = sin("a");
end M;
// expect error: 2:16 argument 1 of 'sin' must be Real, but this is String
