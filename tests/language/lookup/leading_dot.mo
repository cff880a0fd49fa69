package A
  constant Real v = 1;
  package A
    constant Real v = 2;
    model M
      Real x = A.v;
      Real y = .A.v;
    end M;
  end A;
end A;
// model: A.A.M
// expect flat:
// model 'A.A.M'
//   Real x;
//   Real y;
// equation
//   x = 2.0;
//   y = 1.0;
// end 'A.A.M';
