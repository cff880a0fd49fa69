model A
end A
model B
end B;
// expect error: 2:6 missing ';' behind the class
