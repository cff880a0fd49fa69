operator record Complex
  Real re, im;
  encapsulated operator 'constructor'
    function fromReal
      input Real re;
      output Complex result(re = re, im = 0);
    algorithm
    end fromReal;
  end 'constructor';
  encapsulated operator function '*'
    input Complex a;
    input Complex b;
    output Complex c;
  algorithm
    c := Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
  end '*';
  encapsulated operator function '0' end '0';
end Complex;
