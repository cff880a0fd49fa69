// A function that takes a text apart runs before the run, also if it is given parameters that
// shaped the model already.
pure function substring
  input String s;
  input Integer from;
  input Integer to;
  output String part;
  external "C" part = ModelicaStrings_substring(s, from, to);
end substring;
function bits
  input String s;
  input Integer n;
  output Boolean b[n];
protected
  String letter;
algorithm
  for i in 1:n loop
    letter := substring(s, i, i);
    b[i] := letter == "1";
  end for;
end bits;
model M
  parameter Integer n = 3;
  Boolean b[n](start = fill(false, n));
algorithm
  when time > 1 then
    b := bits("101", n);
  end when;
end M;
// expect flat:
// model M
//   parameter Integer n = 3;
//   Boolean 'b[1]'(start = false);
//   Boolean 'b[2]'(start = false);
//   Boolean 'b[3]'(start = false);
// algorithm
//   when time > 1.0 then
//     'b[1]' := true;
//     'b[2]' := false;
//     'b[3]' := true;
//   end when;
// end M;
