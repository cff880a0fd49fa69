function check
  input Real x;
algorithm
  assert(x > 0, "negative");
end check;
model M
equation
  check(time + 1);
end M;
// expect flat:
// function check
//   input Real x;
// algorithm
//   assert(x > 0.0, "negative");
// end check;
// model M
// equation
//   check(time + 1.0);
// end M;
