model M
  Boolean a = true + false;
  Boolean b = not 1;
  Real c = 1 and 2;
  String d = "a" - "b";
end M;
// expect error: 2:15 '+' cannot be applied to Boolean and Boolean
// expect error: 3:15 'not' cannot be applied to Integer
// expect error: 4:12 'and' cannot be applied to Integer and Integer
// expect error: 5:14 '-' cannot be applied to String and String
