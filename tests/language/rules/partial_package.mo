// Section 5.3.2: nothing is taken from a partial class.
partial package P
  constant Real c = 1;
end P;
model M
  Real x = P.c;
end M;
// expect error: 6:14 'c' cannot be taken from 'P', which is partial; name a class that extends it
