type Voltage = Real(quantity = "ElectricPotential", unit = "V", displayUnit = "kV", nominal = 100);
type Positive = Voltage(min = 0, max = 1e6);
model M
  Positive u(start = 5, fixed = true, stateSelect = StateSelect.prefer);
  Integer n(min = 1, max = 9, start = 2) = 3;
  Boolean b(start = true, fixed = true);
  parameter Positive p(max = 10) = 4;
  parameter Real T(unit = "s") = 2;
equation
  der(u) = -u/T;
  b = pre(b);
end M;
// expect flat:
// model M
//   Real u(quantity = "ElectricPotential", unit = "V", displayUnit = "kV", min = 0.0, max = 1000000.0, start = 5.0, nominal = 100.0, fixed = true, stateSelect = StateSelect.prefer);
//   Integer n(min = 1, max = 9, start = 2);
//   Boolean b(start = true, fixed = true);
//   parameter Real p(quantity = "ElectricPotential", unit = "V", displayUnit = "kV", min = 0.0, max = 10.0, nominal = 100.0) = 4.0;
//   parameter Real T(unit = "s") = 2.0;
// equation
//   n = 3;
//   der(u) = -u/T;
//   b = pre(b);
// end M;
