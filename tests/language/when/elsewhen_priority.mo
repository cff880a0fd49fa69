model M
  Integer n(start = 0, fixed = true);
equation
  when time > 1 then
    n = 1;
  elsewhen time > 2 then
    n = pre(n) + 10;
  elsewhen {time > 3, time > 4} then
    n = 5;
  end when;
end M;
// expect flat:
// model M
//   Integer n(start = 0, fixed = true);
// equation
//   when time > 1.0 then
//     n = 1;
//   elsewhen time > 2.0 then
//     n = pre(n) + 10;
//   elsewhen {time > 3.0, time > 4.0} then
//     n = 5;
//   end when;
// end M;
