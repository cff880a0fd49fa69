model IfOrder
  function f
    input Real u;
    output Real y;
  algorithm
    assert(u >= 0, "negative");
    y := sqrt(u);
  end f;
  Real x = time - 0.5;
  Real z;
algorithm
  if x <= 0 then
    z := 0;
  elseif f(x) > 0.1 then
    z := 1;
  else
    z := 2;
  end if;
end IfOrder;
