model A
equation
  s = "a" + "b" + String(1);
  s = "a" + "b" "described";
  s = if a then "x" else "y" "described";
end A;
