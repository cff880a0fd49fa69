model A
equation
  x = if a then b else c;
  x = if a then b elseif c then d elseif e then f else g;
  x = if a then if b then c else d else if e then f else g;
  x = (if a then b else c) + (if d then e else f) * 2;
  x = f(if a then b else c, y = if d then e else f);
  x = {if a then b else c};
  x = if a or b then c + d else e:f;
end A;
