model M
  constant Real c = 1;
algorithm
  c := 2;
end M;
// expect error: 4:3 'c' cannot be assigned to: it is a constant
