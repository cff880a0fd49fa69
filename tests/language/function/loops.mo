function sums "for over a range, a vector, with break, while with return"
  input Integer n;
  output Integer a = 0, b = 0, c = 0, d = 0;
algorithm
  for i in 1:n loop
    a := a + i;
  end for;
  for i in {1, 10, 100} loop
    b := b + i;
  end for;
  for i in n:-1:1 loop
    if i < 3 then
      break;
    end if;
    c := c + i;
  end for;
  while true loop
    d := d + 2;
    if d > n then
      return;
    end if;
  end while;
end sums;
function pick
  input Integer n, k;
  output Integer y;
protected
  Integer v[4];
algorithm
  (v[1], v[2], v[3], v[4]) := sums(n);
  y := v[k];
end pick;
model M
  constant Integer r[4] = {pick(5, k) for k in 1:4};
  Real x[4] = r;
end M;
// expect flat:
// model M
//   constant Integer 'r[1]' = 15;
//   constant Integer 'r[2]' = 111;
//   constant Integer 'r[3]' = 12;
//   constant Integer 'r[4]' = 6;
//   Real 'x[1]';
//   Real 'x[2]';
//   Real 'x[3]';
//   Real 'x[4]';
// equation
//   'x[1]' = 15.0;
//   'x[2]' = 111.0;
//   'x[3]' = 12.0;
//   'x[4]' = 6.0;
// end M;
