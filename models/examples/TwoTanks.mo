model TwoTanks "Two tanks in a row; a valve keeps the lower level between two marks"
  parameter Real inflow = 1, A1 = 2, A2 = 1, k1 = 0.5, low = 1, high = 1.5, drain = 2;
  Real h1(start = 0, fixed = true), h2(start = 0, fixed = true);
  Real drained(start = 0, fixed = true);
  Boolean open(start = false, fixed = true);
  Integer openings(start = 0, fixed = true);
equation
  A1 * der(h1) = inflow - k1 * h1;
  A2 * der(h2) = k1 * h1 - (if open then drain else 0);
  der(drained) = if open then drain else 0;
  open = h2 > high or pre(open) and h2 > low;
  when open then
    openings = pre(openings) + 1;
  end when;
  annotation(experiment(StopTime = 30));
end TwoTanks;
