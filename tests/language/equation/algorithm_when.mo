model M
  Integer n(start = 0);
  Real t;
algorithm
  when time > 1 then
    n := pre(n) + 1;
  elsewhen {time > 2, time > 3} then
    n := 5;
  end when;
  t := n*time;
end M;
// expect flat:
// model M
//   Integer n(start = 0);
//   Real t;
// algorithm
//   when time > 1.0 then
//     n := pre(n) + 1;
//   elsewhen {time > 2.0, time > 3.0} then
//     n := 5;
//   end when;
//   t := n*time;
// end M;
