function f
  input Real x;
  output Real y;
protected
  Real a[2, 2];
  Boolean b;
  String s;
  Integer n;
algorithm
  a := [x, 1; 2, 3];
  a[1, :] := {4, 5};
  a[:, 2] := a[:, 2]*2;
  b := x > 1 and not x > 3;
  n := if b then 1 else 2;
  if n == 1 then
    y := a[n, 2];
  elseif n == 2 then
    y := a[2, n];
  else
    y := 0;
  end if;
  s := "n = " + String(n);
  assert(y < 100, "too large: " + s, AssertionLevel.warning);
end f;
model M
  constant Real c = f(2);
  constant Real d = f(5);
  Real y = f(time) + c + d;
end M;
// expect flat:
// function f
//   input Real x;
//   output Real y;
//   protected Real a[2, 2];
//   protected Boolean b;
//   protected String s;
//   protected Integer n;
// algorithm
//   a := {{x, 1.0}, {2.0, 3.0}};
//   a[1, :] := {4.0, 5.0};
//   a[:, 2] := a[:, 2]*2.0;
//   b := x > 1.0 and not x > 3.0;
//   n := if b then 1 else 2;
//   if n == 1 then
//     y := a[n, 2];
//   elseif n == 2 then
//     y := a[2, n];
//   else
//     y := 0.0;
//   end if;
//   s := "n = " + String(n, minimumLength = 0, leftJustified = true);
//   assert(y < 100.0, "too large: " + s, AssertionLevel.warning);
// end f;
// model M
//   constant Real c = 10.0;
//   constant Real d = 6.0;
//   Real y;
// equation
//   y = f(time) + 10.0 + 6.0;
// end M;
