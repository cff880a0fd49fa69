model Duffing "A spring that hardens: the period depends on the amplitude"
  Real x(start = 1, fixed = true), v(start = 0, fixed = true), energy;
  discrete Real period(start = 0, fixed = true), last(start = 0, fixed = true);
equation
  der(x) = v;
  der(v) = -x - x ^ 3;
  energy = v ^ 2 / 2 + x ^ 2 / 2 + x ^ 4 / 4;
  when x > 0 then
    period = time - pre(last);
    last = time;
  end when;
  annotation(experiment(StopTime = 20, Tolerance = 1e-9));
end Duffing;
