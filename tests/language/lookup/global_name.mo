constant Integer dummy = 1;
// expect error: 1:1 expected the definition of a class, found keyword 'constant'
