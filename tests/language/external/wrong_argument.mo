pure function f
  input Real x;
  output Integer n;
  external "C" n = ModelicaStrings_length(x);
end f;
pure function g
  input String s;
  output Integer n;
  external "C" n = ModelicaStrings_length(s, s);
end g;
pure function h
  input String s;
  input Integer from;
  input Integer next;
  output String t;
  external "C" ModelicaStrings_scanIdentifier(s, from, next, t);
end h;
model M
  Integer a = f(1);
  Integer b = g("x");
  parameter String c = h("x", 1, 1);
end M;
// expect error: 4:43 this argument of 'ModelicaStrings_length' must be a String, but is Real
// expect error: 9:3 'ModelicaStrings_length' takes 1 argument and has a result
// expect error: 16:56 'ModelicaStrings_scanIdentifier' writes this argument: it must be an output or a protected variable
