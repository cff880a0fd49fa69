// The subscript that gives the range may stand anywhere in the loop (section 11.2.2.1).
model M
  connector In = input Real;
  connector Out = output Real;
  record R
    Real a[2];
  end R;
  function twice
    input Real p;
    output Real q = 2*p;
  algorithm
  end twice;
  Real x[2];
  Real y[2];
  Real z[2];
  Real w[2];
  Real v[2, 2];
  Real u[2];
  R r;
  In c[2];
  Out d[2];
equation
  for i loop
    connect(c[i], d[i]);
  end for;
  for i loop
    if time > 1 then
      x[i] = 1;
    else
      x[i] = 2;
    end if;
  end for;
  for i loop
    assert(-x[i] < 3, "small");
  end for;
  for i loop
    for j in 1:2 loop
      v[i, j] = j;
    end for;
  end for;
  for i loop
    r.a[i] = i;
  end for;
  y = {x[i]*sum(x[j] for j in 1:i) for i};
  z = {if time > i then x[i] else -x[i] for i};
  u = {twice(p = x[i]) for i};
algorithm
  for i loop
    w[i] := i;
  end for;
end M;
// expect flat:
// function 'M.twice'
//   input Real p;
//   output Real q = 2.0*p;
// algorithm
// end 'M.twice';
// model M
//   Real 'x[1]';
//   Real 'x[2]';
//   Real 'y[1]';
//   Real 'y[2]';
//   Real 'z[1]';
//   Real 'z[2]';
//   Real 'w[1]';
//   Real 'w[2]';
//   Real 'v[1,1]';
//   Real 'v[1,2]';
//   Real 'v[2,1]';
//   Real 'v[2,2]';
//   Real 'u[1]';
//   Real 'u[2]';
//   Real 'r.a[1]';
//   Real 'r.a[2]';
//   input Real 'c[1]';
//   input Real 'c[2]';
//   output Real 'd[1]';
//   output Real 'd[2]';
// equation
//   if time > 1.0 then
//     'x[1]' = 1.0;
//   else
//     'x[1]' = 2.0;
//   end if;
//   if time > 1.0 then
//     'x[2]' = 1.0;
//   else
//     'x[2]' = 2.0;
//   end if;
//   'v[1,1]' = 1.0;
//   'v[1,2]' = 2.0;
//   'v[2,1]' = 1.0;
//   'v[2,2]' = 2.0;
//   'r.a[1]' = 1.0;
//   'r.a[2]' = 2.0;
//   'y[1]' = 'x[1]'*'x[1]';
//   'y[2]' = 'x[2]'*('x[1]' + 'x[2]');
//   'z[1]' = if time > 1.0 then 'x[1]' else -'x[1]';
//   'z[2]' = if time > 2.0 then 'x[2]' else -'x[2]';
//   'u[1]' = 'M.twice'('x[1]');
//   'u[2]' = 'M.twice'('x[2]');
//   'c[1]' = 'd[1]';
//   'c[2]' = 'd[2]';
//   assert(-'x[1]' < 3.0, "small");
//   assert(-'x[2]' < 3.0, "small");
// algorithm
//   'w[1]' := 1.0;
//   'w[2]' := 2.0;
// end M;
