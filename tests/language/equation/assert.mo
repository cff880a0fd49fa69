model M
  parameter Real p = 3;
  Real x = p*time;
equation
  assert(x < 10, "x is too large");
  assert(p > 0, "p should be positive", AssertionLevel.warning);
  assert(condition = x > -1, message = "x is negative", level = AssertionLevel.error);
end M;
// expect flat:
// model M
//   parameter Real p = 3.0;
//   Real x;
// equation
//   x = p*time;
//   assert(x < 10.0, "x is too large");
//   assert(p > 0.0, "p should be positive", AssertionLevel.warning);
//   assert(x > -1.0, "x is negative");
// end M;
