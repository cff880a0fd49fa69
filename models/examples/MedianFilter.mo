model MedianFilter "A sampled filter that forgets outliers: an algorithm that sorts five values"
  parameter Integer n = 5;
  Real signal = time + (if mod(time, 1) > 0.76 and mod(time, 1) < 0.8 then 100 else 0);
  discrete Real window[n](each start = 0, each fixed = true), median(start = 0, fixed = true);
protected
  discrete Real sorted[n](each start = 0, each fixed = true), swap(start = 0, fixed = true);
algorithm
  when sample(0.01, 0.02) then
    for k in 1:n - 1 loop
      window[k] := pre(window[k + 1]);
    end for;
    window[n] := signal;
    sorted := window;
    for i in 1:n - 1 loop
      for j in 1:n - i loop
        if sorted[j] > sorted[j + 1] then
          swap := sorted[j];
          sorted[j] := sorted[j + 1];
          sorted[j + 1] := swap;
        end if;
      end for;
    end for;
    median := sorted[3];
  end when;
  annotation(experiment(StopTime = 2));
end MedianFilter;
