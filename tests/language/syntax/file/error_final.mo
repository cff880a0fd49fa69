final Real x;
final model A end A;
// expect error: 1:7 expected the definition of a class, found identifier 'Real'
