package P
  constant Real a = 1;
  package Q
    constant Real b = 2;
    model M
      Real x = a + b;
    end M;
  end Q;
  model N
    Q.M m;
    Real y = Q.b + P.a + .P.Q.b;
  end N;
end P;
// model: P.N
// expect flat:
// model 'P.N'
//   Real 'm.x';
//   Real y;
// equation
//   'm.x' = 3.0;
//   y = 5.0;
// end 'P.N';
