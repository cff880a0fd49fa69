package P
  record Data
    Real a;
    Real b[2];
  end Data;
  constant Data water(a = 1, b = {2, 3});
  constant Data oil = Data(4, {5, 6});
  constant Data all[2] = {water, oil};
end P;
model M
  parameter Integer k = 2;
  Real x = P.water.a + P.oil.b[2];
  Real y = P.all[k].a;
end M;
// expect flat:
// model M
//   parameter Integer k = 2;
//   Real x;
//   Real y;
// equation
//   x = 7.0;
//   y = 4.0;
// end M;
