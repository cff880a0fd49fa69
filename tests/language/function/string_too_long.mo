function f
  output Integer n;
protected
  String s = "ab";
algorithm
  for i in 1:60 loop
    s := s + s;
  end for;
  n := if s == "x" then 1 else 2;
end f;
model M
  parameter Integer n = f();
  Real x[n] = fill(time, n);
end M;
// expect error: 13:10 an array size must be known before the run: a String becomes too long
// expect note: 7:10 here
