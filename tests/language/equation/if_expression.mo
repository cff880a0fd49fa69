model M
  parameter Boolean p = true;
  constant Boolean c = false;
  Real x = if time > 1 then 1 elseif time > 2 then 2 else 3;
  Real y = if p then 1 else 2;
  Real z = if c then 1/0 else 2;
  Real v[2] = if time > 1 then {1, 2} else {3, 4};
end M;
// expect flat:
// model M
//   parameter Boolean p = true;
//   constant Boolean c = false;
//   Real x;
//   Real y;
//   Real z;
//   Real 'v[1]';
//   Real 'v[2]';
// equation
//   x = if time > 1.0 then 1.0 elseif time > 2.0 then 2.0 else 3.0;
//   y = if p then 1.0 else 2.0;
//   z = 2.0;
//   'v[1]' = if time > 1.0 then 1.0 else 3.0;
//   'v[2]' = if time > 1.0 then 2.0 else 4.0;
// end M;
