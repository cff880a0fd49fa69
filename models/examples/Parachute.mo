model Parachute "A jump: free fall with drag, then the parachute opens"
  parameter Real g = 9.81, m = 80, closed = 0.25 "Drag per squared speed", open = 25, at = 1000;
  Real h(start = 3000, fixed = true, unit = "m"), v(start = 0, fixed = true) "Downwards";
  Boolean isOpen(start = false, fixed = true);
equation
  der(h) = -v;
  m * der(v) = m * g - (if isOpen then open else closed) * v ^ 2;
  isOpen = h < at or pre(isOpen);
  when h <= 0 then
    terminate("landed");
  end when;
  annotation(experiment(StopTime = 600));
end Parachute;
