// What changes at events only cannot be taken from noEvent (section 3.8.3); of what changes at
// events anyway it can, and in a Real, and in a when clause.
model M
  Real x = time;
  Boolean a = noEvent(x > 0.5);
  Integer n = if noEvent(x > 0.5) then 1 else 2;
  Boolean c = x > 0.5;
  Boolean d = noEvent(not c);
  Boolean e = noEvent(abs(x)) > 0.5;
  Boolean g;
  Real y = if noEvent(x > 0.5) then 1 else 2;
  Real z(start = 0, fixed = true);
equation
  der(z) = 1;
  when noEvent(x > 0.7) then
    reinit(z, 0);
  end when;
  when c then
    g = noEvent(x > 0.2);
  end when;
end M;
// expect error: 5:15 the value changes at events only, and this has none: leave 'noEvent' out
// expect error: 6:18 the value changes at events only, and this has none: leave 'noEvent' out
// expect error: 15:8 the condition of 'when' changes at events only, and this has none: leave 'noEvent' out
