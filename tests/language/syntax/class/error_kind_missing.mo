partial A
end A;
encapsulated operator + end '+';
model C
end C;
// expect error: 1:9 expected a kind of class, such as 'model' or 'function', found identifier 'A'
// expect error: 3:23 expected the name of the class, found '+'
