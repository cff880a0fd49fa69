// The same in algorithms.
model M
  Real x = time, y;
  Boolean a;
  Integer n, m(start = 0), k;
algorithm
  a := noEvent(x > 0.5);
  if noEvent(x > 0.5) then
    y := 1;
    n := 1;
  else
    y := 2;
    n := 2;
  end if;
algorithm
  when noEvent(x > 0.5) then
    m := pre(m) + 1;
  end when;
algorithm
  when x > 0.5 then
    if noEvent(x > 0.2) then
      k := 1;
    end if;
  end when;
end M;
// expect error: 7:8 the value changes at events only, and this has none: leave 'noEvent' out
// expect error: 8:6 the value changes at events only, and this has none: leave 'noEvent' out
// expect error: 16:8 the condition of 'when' changes at events only, and this has none: leave 'noEvent' out
