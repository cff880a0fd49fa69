model A
end A;
end B;
model C
end C;
// expect error: 3:1 'end' without a class that it closes
