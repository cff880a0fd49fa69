model M
  parameter Real p = 1;
  constant Real c = p;
  Real x = c;
end M;
// expect error: 3:21 the constant 'c' cannot depend on a parameter
