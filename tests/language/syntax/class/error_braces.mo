model M {
  Real x = 1;
}
end M;
// expect error: 1:9 expected a declaration, a section or 'end', found '{'
// expect note: 1:9 a class has no braces
// expect error: 3:1 expected a declaration, a section or 'end', found '}'
