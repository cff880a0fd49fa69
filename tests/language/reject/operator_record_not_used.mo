package P
  operator record Complex
    Real re;
    Real im;
    operator function '+'
      input Complex a;
      input Complex b;
      output Complex c;
    algorithm
      c := Complex(a.re + b.re, a.im + b.im);
    end '+';
  end Complex;
  model M
    Real x = 1;
  end M;
end P;
// model: P.M
// expect flat:
// model 'P.M'
//   Real x;
// equation
//   x = 1.0;
// end 'P.M';
