model A
  B b(break c);
  extends D(break e.f);
  extends G(break connect(h));
end A;
// expect error: 2:7 'break' removes something inherited; it stands only in the modifiers of 'extends'
// expect error: 3:19 'break' takes a component of the class itself, not of one of its components
// expect error: 4:28 expected ',' between the two connectors, found ')'
