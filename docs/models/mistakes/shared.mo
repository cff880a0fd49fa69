model Lamp "A state that forgets the shared variable"
  model On
    outer output Real light;
  equation
    light = 100;
  end On;
  model Off
    outer output Real light;
  end Off;
  inner Real light;
  On on;
  Off off;
equation
  initialState(off);
  transition(off, on, time > 1);
  annotation(experiment(StopTime = 2));
end Lamp;
