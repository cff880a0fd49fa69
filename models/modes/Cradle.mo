model Cradle "Newton's cradle: the impact runs through balls that touch, pair by pair, in no time"
  parameter Integer n = 5;
  parameter Real w = 3 "each swings with this angular frequency";
  parameter Real start = 0.1 "of the first ball, on its side";
  Real x[n](start = {if i == 1 then -start else 0 for i in 1:n}, each fixed = true) "from its place";
  Real v[n](each start = 0, each fixed = true);
  Integer impacts(start = 0, fixed = true);
  Boolean hits[n - 1];
equation
  der(x) = v;
  der(v) = -w ^ 2 * x;
  for i in 1:n - 1 loop
    // one pair after the other: a ball takes part in one impact of an iteration
    hits[i] = x[i] >= x[i + 1] and v[i] > v[i + 1] and not (if i > 1 then hits[max(i - 1, 1)] else false);
    when hits[i] then
      reinit(v[i], pre(v[i + 1]));
      reinit(v[i + 1], pre(v[i]));
    end when;
  end for;
  when hits then
    impacts = pre(impacts) + 1;
  end when;
  annotation(experiment(StopTime = 5));
end Cradle;
