// What an algorithm assigns in a loop only is defined by it (section 11.1): two variables, two
// values.
model M
  Real y;
  Integer n;
algorithm
  n := 0;
  while n < 3 loop
    n := n + 1;
    y := n*time;
  end while;
end M;
// expect flat:
// model M
//   Real y;
//   Integer n;
// algorithm
//   n := 0;
//   while n < 3 loop
//     n := n + 1;
//     y := n*time;
//   end while;
// end M;
