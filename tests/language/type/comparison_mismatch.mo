type E = enumeration(a, b);
type F = enumeration(a, c);
type G = enumeration(a, b);
model M
  Boolean a = E.a == F.a;
  Boolean same = E.a == G.a;
  Boolean b = 1 == true;
  Boolean c = "a" == 1;
end M;
// expect error: 5:15 '==' cannot be applied to E and F
// expect error: 7:15 '==' cannot be applied to Integer and Boolean
// expect error: 8:15 '==' cannot be applied to String and Integer
