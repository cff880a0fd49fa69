model M "A model"
  parameter Real a = 2 "The \"a\"";
  Real x = a "The x";
end M;
// expect flat:
// model M "A model"
//   parameter Real a = 2.0 "The \"a\"";
//   Real x "The x";
// equation
//   x = a;
// end M;
