// Section 3.8.3: the value of a function of the time has no events.
function f
  input Real u;
  output Integer n;
algorithm
  n := integer(u);
end f;
model M
  Integer n = f(time);
end M;
// expect error: 9:15 the value is Integer, and that of 'f', whose arguments change continuously, changes without an event; call it in a 'when', or with what changes at events
