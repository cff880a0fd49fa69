model A
  Real x "a" + b;
  Real y "a" + ;
end A;
// expect error: 2:16 expected a string behind '+' in the description, found identifier 'b'
// expect error: 3:16 expected a string behind '+' in the description, found ';'
