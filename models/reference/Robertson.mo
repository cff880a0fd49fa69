model Robertson "Three chemical reactions with rates over nine orders of magnitude: very stiff"
  Real y1(start = 1, fixed = true), y2(start = 0, fixed = true), y3(start = 0, fixed = true);
  discrete Real t3(start = 0, fixed = true) "When y3 reached 0.01";
  discrete Real t1(start = 0, fixed = true) "When y1 had fallen to 1e-4";
equation
  der(y1) = -0.04 * y1 + 1e4 * y2 * y3;
  der(y2) = 0.04 * y1 - 1e4 * y2 * y3 - 3e7 * y2 ^ 2;
  der(y3) = 3e7 * y2 ^ 2;
  when y3 >= 0.01 then
    t3 = time;
  end when;
  when y1 <= 1e-4 then
    t1 = time;
  end when;
  annotation(experiment(StopTime = 1e11, Tolerance = 1e-10));
end Robertson;
