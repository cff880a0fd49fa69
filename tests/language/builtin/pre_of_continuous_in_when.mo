model M
  Real x(start = 1, fixed = true);
equation
  der(x) = -1;
  when x < 0 then
    reinit(x, -pre(x));
  end when;
end M;
// expect flat:
// model M
//   Real x(start = 1.0, fixed = true);
// equation
//   der(x) = -1.0;
//   when x < 0.0 then
//     reinit(x, -pre(x));
//   end when;
// end M;
