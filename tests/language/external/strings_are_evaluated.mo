pure function length
  input String s;
  output Integer n;
  external "C" n = ModelicaStrings_length(s);
end length;
pure function substring
  input String s;
  input Integer from;
  input Integer to;
  output String part;
  external "C" part = ModelicaStrings_substring(s, from, to);
end substring;
model M
  parameter String s = "Dy11";
  parameter Integer n = length(s + "x");
  parameter String part = substring(s, 2, 3);
  Real v[n];
equation
  v = fill(time, n);
end M;
// expect flat:
// model M
//   parameter String s = "Dy11";
//   parameter Integer n = 5;
//   parameter String part = "y1";
//   Real 'v[1]';
//   Real 'v[2]';
//   Real 'v[3]';
//   Real 'v[4]';
//   Real 'v[5]';
// equation
//   'v[1]' = time;
//   'v[2]' = time;
//   'v[3]' = time;
//   'v[4]' = time;
//   'v[5]' = time;
// end M;
