package P
  function cross
    input Real a;
    output Real b;
  algorithm
    b := 2*a;
  end cross;
  model M
    Real y = cross(time);
  end M;
end P;
// model: P.M
// expect flat:
// function 'P.cross'
//   input Real a;
//   output Real b;
// algorithm
//   b := 2.0*a;
// end 'P.cross';
// model 'P.M'
//   Real y;
// equation
//   y = 'P.cross'(time);
// end 'P.M';
