model M
  Boolean b = time > 1;
  Integer n(start = 0, fixed = true);
  Boolean c = edge(b), d = change(n);
equation
  when {edge(b), change(b), initial(), terminal(), sample(0, 0.5)} then
    n = pre(n) + 1;
  end when;
end M;
// expect flat:
// model M
//   Boolean b;
//   Integer n(start = 0, fixed = true);
//   Boolean c;
//   Boolean d;
// equation
//   b = time > 1.0;
//   c = edge(b);
//   d = change(n);
//   when {edge(b), change(b), initial(), terminal(), sample(0.0, 0.5)} then
//     n = pre(n) + 1;
//   end when;
// end M;
