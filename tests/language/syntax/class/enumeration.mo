type A = enumeration(one, two, three);
type B = enumeration(one "first", two "second" annotation(Evaluate = true)) "both";
type C = enumeration(:);
type D = enumeration();
