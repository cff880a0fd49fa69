model BridgeSample "A bridge of four leaking diodes with a sample at each zero of its source"
  parameter Real Ron = 1e-5, Goff = 1e-5, R = 20;
  constant Real pi = 3.14159265358979323846;
  Real e = 155.56*sin(100*pi*time), p, n, i = (p - n)/R;
  Real s[4](each start = 0), v[4] = {e - p, -p, n - e, n};
  Boolean off[4](each start = true) = {s[k] < 0 for k in 1:4};
  Real q(start = 0, fixed = true) "charge since the last sample";
equation
  for k in 1:4 loop
    v[k] = s[k]*(if off[k] then 1 else Ron);
  end for;
  i = sum(s[k]*(if off[k] then Goff else 1) for k in 1:2);
  i = sum(s[k]*(if off[k] then Goff else 1) for k in 3:4);
  der(q) = i;
  when sample(0.01, 0.01) then
    reinit(q, 0);
  end when;
end BridgeSample;
