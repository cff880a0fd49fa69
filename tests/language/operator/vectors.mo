// A product of vectors needs a function of '*' for vectors: sums of products are not what it means
// for complex numbers. Nor is there a product of different sizes.
operator record C
  Real x;
  operator function '*'
    input C a;
    input C b;
    output C r;
  algorithm
    r := C(a.x*b.x);
  end '*';
end C;
model M
  C v[2] = {C(1), C(2)};
  C w = v*v;
  C u[2] = v .* {C(1), C(2), C(3)};
  C t = v + v;
  C s = -v[1];
  C r = +v[1];
end M;
// expect error: 15:9 '*' cannot be applied to C[2] and C[2]: a product with a vector on the left is not defined for operator records (section 14.5)
// expect error: 16:12 '.*' cannot be applied to C[2] and C[3]
// expect error: 17:9 '+' cannot be applied to C and C
// expect error: 18:9 '-' cannot be applied to C
// expect error: 19:9 '+' cannot be applied to C
