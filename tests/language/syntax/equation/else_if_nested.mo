// `else if` with an `end if` for each is an if within an else.
model A
equation
  if a then x = 1; else if b then x = 2; else x = 3; end if; end if;
end A;
