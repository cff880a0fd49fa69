model A
  Real x annotation;
  Real y annotation(a = );
  Real z annotation(a b);
  annotation(Icon(graphics = {Line(points = {{0, 0}, {1 1}})}));
end A;
// expect error: 2:20 expected '(' before the modifiers, found ';'
// expect error: 3:25 expected an expression, found ')'
// expect error: 4:23 expected ')' behind the modifiers, found identifier 'b'
// expect error: 5:57 expected '}' to match '{', found number 1
