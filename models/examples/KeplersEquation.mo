model KeplersEquation "A planet's place by Kepler's equation, solved in a function, and by integration"
  function anomaly "E - e sin E = M, by Newton's method"
    input Real M, e;
    output Real E;
  protected
    Real step;
  algorithm
    E := M + e * sin(M);
    step := 1;
    while abs(step) > 1e-14 loop
      step := (E - e * sin(E) - M) / (1 - e * cos(E));
      E := E - step;
    end while;
  end anomaly;
  parameter Real e = 0.3;
  Real E = noEvent(anomaly(time, e));
  Real x = cos(E) - e, y = sqrt(1 - e ^ 2) * sin(E) "By Kepler";
  Real p(start = 1 - e, fixed = true), q(start = 0, fixed = true) "By Newton";
  Real u(start = 0, fixed = true), v(start = sqrt((1 + e) / (1 - e)), fixed = true);
equation
  der(p) = u;
  der(q) = v;
  der(u) = -p / sqrt(p ^ 2 + q ^ 2) ^ 3;
  der(v) = -q / sqrt(p ^ 2 + q ^ 2) ^ 3;
  annotation(experiment(StopTime = 10, Tolerance = 1e-9));
end KeplersEquation;
