model TwoState "ARGESIM comparison C5: two states, two regimes that switch each other"
  parameter Real c1 = 2.7e6, c3 = 3.5651205;
  parameter Real low = 2.5, high = 5.8 "values of y1 at which the regime changes";
  Real y1(start = 4.2, fixed = true), y2(start = 0.3, fixed = true);
  discrete Real c2(start = 0.4, fixed = true), c4(start = 5.5, fixed = true);
equation
  der(y1) = c1 * (y2 + c2 - y1);
  der(y2) = c3 * (c4 - y2);
  when y1 > high then
    c2 = -0.3;
    c4 = 2.73;
  elsewhen y1 < low then
    c2 = 0.4;
    c4 = 5.5;
  end when;
  annotation(experiment(StopTime = 5));
end TwoState;
