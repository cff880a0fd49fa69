model A
end A;
within B;
model C
end C;
// expect error: 3:1 'within' stands only at the beginning of a file
