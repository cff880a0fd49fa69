function f
algorithm
  if a then
    x := 1;
  elseif b then
    x := 2;
  else
    x := 3;
  end if;
  for i in 1:n, j loop
    if i == j then break; end if;
  end for;
  while x < 10 loop
    x := x + 1;
    if x == 5 then return; end if;
  end while "loop";
  when c then
    y := 1;
  elsewhen d then
    y := 2;
  end when;
  for i loop end for;
  while true loop end while;
  if a then end if;
end f;
