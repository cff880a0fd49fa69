hello world
model A
end A;
// expect error: 1:1 expected the definition of a class, found identifier 'hello'
