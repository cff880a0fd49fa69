model A
end A
// expect error: 2:6 missing ';' behind the class
