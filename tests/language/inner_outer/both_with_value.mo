model Leaf
  outer Boolean isEnabled;
  Boolean b = isEnabled;
end Leaf;
model Middle
  parameter Boolean p = false;
  inner outer Boolean isEnabled = isEnabled and p;
  Leaf l;
  Boolean here = isEnabled;
end Middle;
model M
  inner Boolean isEnabled = time > 1;
  Middle m;
end M;
// expect flat:
// model M
//   Boolean isEnabled;
//   parameter Boolean 'm.p' = false;
//   Boolean 'm.l.b';
//   Boolean 'm.here';
//   Boolean 'm.isEnabled';
// equation
//   isEnabled = time > 1.0;
//   'm.l.b' = 'm.isEnabled';
//   'm.here' = isEnabled;
//   'm.isEnabled' = isEnabled and 'm.p';
// end M;
