model A {
  Real x;
}
// expect error: 1:9 expected a declaration, a section or 'end', found '{'
// expect error: 3:1 expected a declaration, a section or 'end', found '}'
