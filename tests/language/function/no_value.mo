function f
  input Integer n;
  output Integer m;
algorithm
  if n > 10 then
    m := n;
  end if;
end f;
model M
  Real y[f(1)];
end M;
// expect error: 10:10 an array size must be known before the run: output 'm' of 'f' gets no value
// expect note: 1:10 here
