package P
  function f
    input Real x;
    output Real y;
  external "C";
  end f;
  model M
    Real y = 1;
  end M;
end P;
// model: P.M
// expect flat:
// model 'P.M'
//   Real y;
// equation
//   y = 1.0;
// end 'P.M';
