// Section 7.2.6.
type Angle = Real(final unit = "rad");
model M
  Angle a(unit = "deg") = 10;
end M;
// expect error: 4:11 the attribute 'unit' is final and cannot be modified
