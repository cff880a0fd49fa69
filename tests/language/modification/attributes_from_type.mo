type Length = Real(quantity = "Length", unit = "m", min = 0);
type Distance = Length(displayUnit = "km", max = 100);
model M
  Distance d(start = 3, nominal = 10, stateSelect = StateSelect.prefer);
equation
  der(d) = 1;
end M;
// expect flat:
// model M
//   Real d(quantity = "Length", unit = "m", displayUnit = "km", min = 0.0, max = 100.0, start = 3.0, nominal = 10.0, stateSelect = StateSelect.prefer);
// equation
//   der(d) = 1.0;
// end M;
