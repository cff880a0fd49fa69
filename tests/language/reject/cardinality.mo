model M
  Integer n = cardinality(1);
end M;
// expect error: 2:15 'cardinality' is deprecated and not supported
