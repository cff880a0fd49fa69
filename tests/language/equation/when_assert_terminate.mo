model M
  Real x = time;
equation
  when x > 5 then
    assert(x < 10, "too large: " + String(x));
    terminate("done");
  end when;
end M;
// expect flat:
// model M
//   Real x;
// equation
//   x = time;
//   when x > 5.0 then
//     assert(x < 10.0, "too large: " + String(x, significantDigits = 6, minimumLength = 0, leftJustified = true));
//     terminate("done");
//   end when;
// end M;
