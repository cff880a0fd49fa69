modle A
  Real x;
end A;
// expect error: 1:1 expected the definition of a class, found identifier 'modle'; did you mean 'model'?
