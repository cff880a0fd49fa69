model A
equation
  if a then
  end if;
  if a then x = 1; else x = 2; end if;
  if a then
    x = 1;
    y = 2;
  elseif b then
    x = 2;
  elseif c then
  else
    if d then z = 1; end if;
  end if "text" annotation(x);
end A;
