model M
  Real x = 1 + true;
  Boolean b = not 1;
  Boolean c = true and 1;
  Boolean d = "a" < 1;
  Real y = -"a";
end M;
// expect error: 2:12 '+' cannot be applied to Integer and Boolean
// expect error: 3:15 'not' cannot be applied to Integer
// expect error: 4:15 'and' cannot be applied to Boolean and Integer
// expect error: 5:15 '<' cannot be applied to String and Integer
// expect error: 6:12 '-' cannot be applied to String
