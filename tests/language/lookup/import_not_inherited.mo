package Lib
  constant Real c = 1;
end Lib;
model B
  import Lib.c;
  Real x = c;
end B;
model M
  extends B;
  Real y = c;
end M;
// expect error: 10:12 there is no variable 'c' in 'M'
