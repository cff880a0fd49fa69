model A "one" "two"
end A;
// expect error: 1:15 expected a declaration, a section or 'end', found a string
