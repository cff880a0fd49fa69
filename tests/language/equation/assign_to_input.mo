model M
  input Real u;
algorithm
  u := 2;
end M;
// expect error: 4:3 'u' cannot be assigned to: it is an input of the model
