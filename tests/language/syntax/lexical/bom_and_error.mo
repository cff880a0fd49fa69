mode A
  Real x;
end A;
// The byte order mark is no column.
// expect error: 1:1 expected the definition of a class, found identifier 'mode'; did you mean 'model'?
