model M
  Real x;
  Real y;
  Integer n;
algorithm
  x := time;
  y := 0;
  for i in 1:3 loop
    y := y + x^i;
  end for;
  n := 0;
  while n < 10 loop
    n := n + 1;
    if n > 5 then
      break;
    end if;
  end while;
end M;
// expect flat:
// model M
//   Real x;
//   Real y;
//   Integer n;
// algorithm
//   x := time;
//   y := 0.0;
//   y := y + x^1.0;
//   y := y + x^2.0;
//   y := y + x^3.0;
//   n := 0;
//   while n < 10 loop
//     n := n + 1;
//     if n > 5 then
//       break;
//     end if;
//   end while;
// end M;
