model Heater "A room with a heater that has two states"
  model On end On;
  model Off end Off;
  On on;
  Off off;
  parameter Real low(unit = "degC") = 19, high(unit = "degC") = 21;
  Real T(unit = "degC", start = 15, fixed = true) "temperature of the room";
equation
  der(T) = (if activeState(on) then 0.02 else 0) - (T - 5)/2000;
  initialState(on);
  transition(on, off, T > high);
  transition(off, on, T < low);
  annotation(experiment(StopTime = 3600));
end Heater;
