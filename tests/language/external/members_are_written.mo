// What an external function writes may be members of a record (section 12.9): a whole number and a
// Real, evaluated before the run.
record Found
  Integer next;
  Real number;
end Found;
function scan
  input String s;
  output Found r;
  external "C" ModelicaStrings_scanReal(s, 1, 0, r.next, r.number);
end scan;
model M
  constant Found r = scan("12.5 and more");
  Real x[r.next - 2];
  Real y = r.number;
equation
  x = fill(time, r.next - 2);
end M;
// expect flat:
// model M
//   constant Integer 'r.next' = 5;
//   constant Real 'r.number' = 12.5;
//   Real 'x[1]';
//   Real 'x[2]';
//   Real 'x[3]';
//   Real y;
// equation
//   y = 12.5;
//   'x[1]' = time;
//   'x[2]' = time;
//   'x[3]' = time;
// end M;
