model M
  Integer mode(start = 0);
  Real t0;
equation
  when {initial(), time > 3} then
    mode = 1;
    t0 = time;
  elsewhen sample(0, 0.5) then
    mode = pre(mode) + 1;
    t0 = pre(t0);
  end when;
end M;
// expect flat:
// model M
//   Integer mode(start = 0);
//   discrete Real t0;
// equation
//   when {initial(), time > 3.0} then
//     mode = 1;
//     t0 = time;
//   elsewhen sample(0.0, 0.5) then
//     mode = pre(mode) + 1;
//     t0 = pre(t0);
//   end when;
// end M;
