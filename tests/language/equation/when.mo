model M
  Real x(start = 1);
  discrete Real last;
  Integer count(start = 0);
equation
  der(x) = -1;
  when x < 0 then
    reinit(x, 1);
    last = pre(x);
    count = pre(count) + 1;
  end when;
end M;
// expect flat:
// model M
//   Real x(start = 1.0);
//   discrete Real last;
//   Integer count(start = 0);
// equation
//   der(x) = -1.0;
//   when x < 0.0 then
//     reinit(x, 1.0);
//     last = pre(x);
//     count = pre(count) + 1;
//   end when;
// end M;
