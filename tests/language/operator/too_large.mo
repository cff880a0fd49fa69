// A product of many factors has each of them in both members of its result.
operator record C
  Real re;
  Real im;
  operator function '*'
    input C a;
    input C b;
    output C r;
  algorithm
    r := C(a.re*b.re - a.im*b.im, a.re*b.im + a.im*b.re);
  end '*';
end C;
model M
  C z = C(time, 1);
  C w = z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z*z;
end M;
// expect error: 15:9 this expression is too large: a variable can stand for a part of it
