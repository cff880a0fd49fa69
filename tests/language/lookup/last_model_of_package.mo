package P
  model A
    Real x = 1;
  end A;
  package Q
    model B
      Real y = 2;
    end B;
    partial model C
      Real z;
    end C;
  end Q;
  function f
    input Real x;
    output Real y = x;
  algorithm
  end f;
end P;
// expect flat:
// model 'P.Q.B'
//   Real y;
// equation
//   y = 2.0;
// end 'P.Q.B';
