model A
equation
  when x > 1 then
    reinit(v, -0.8 * pre(v));
  elsewhen {initial(), sample(0, 0.1), y < 0} then
    n = pre(n) + 1;
  elsewhen false then
  end when;
  when time > 1 then
    if a then m = 1; else m = 2; end if;
    for i in 1:2 loop p[i] = i; end for;
  end when;
end A;
