package P
  constant Real x = 1;
  model M
    Real x = 2;
    Real y = x;
    Real z = P.x;
  end M;
end P;
// model: P.M
// expect flat:
// model 'P.M'
//   Real x;
//   Real y;
//   Real z;
// equation
//   x = 2.0;
//   y = x;
//   z = 1.0;
// end 'P.M';
