// The operators of one record are written out; a short class has them, too.
operator record C
  Real re;
  Real im;
  encapsulated operator 'constructor'
    import C;
    function fromReal
      input Real re;
      input Real im = 0;
      output C r(re = re, im = im);
    algorithm
    end fromReal;
  end 'constructor';
  encapsulated operator function '+'
    import C;
    input C a;
    input C b;
    output C r;
  algorithm
    r := C(a.re + b.re, a.im + b.im);
  end '+';
  encapsulated operator '-'
    import C;
    function negate
      input C a;
      output C r;
    algorithm
      r := C(-a.re, -a.im);
    end negate;
  end '-';
end C;
operator record V = C(re(unit = "V"), im(unit = "V"));
model M
  C a = C(time);
  V b = a + C(1, 2);
  C c[2] = {a, b} + {b, a};
  C d = 3 + (-b);
end M;
// expect flat:
// model M
//   Real 'a.re';
//   Real 'a.im';
//   Real 'b.re'(unit = "V");
//   Real 'b.im'(unit = "V");
//   Real 'c[1].re';
//   Real 'c[1].im';
//   Real 'c[2].re';
//   Real 'c[2].im';
//   Real 'd.re';
//   Real 'd.im';
// equation
//   'a.re' = time;
//   'a.im' = 0.0;
//   'b.re' = 'a.re' + 1.0;
//   'b.im' = 'a.im' + 2.0;
//   'c[1].re' = 'a.re' + 'b.re';
//   'c[1].im' = 'a.im' + 'b.im';
//   'c[2].re' = 'b.re' + 'a.re';
//   'c[2].im' = 'b.im' + 'a.im';
//   'd.re' = 3.0 + (-'b.re');
//   'd.im' = 0.0 + (-'b.im');
// end M;
