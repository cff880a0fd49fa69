model M
  Integer k = integer(time);
  Integer v, w, a[2];
  parameter Real p = 2;
equation
  v = 2.0 * k;
  p + pre(k) = w;
  a = {1, time};
end M;
// expect error: 6:3 the left side is Integer and cannot get the Real value of the right
// expect error: 7:3 the right side is Integer and cannot get the Real value of the left
// expect error: 8:3 the left side is Integer and cannot get the Real value of the right
