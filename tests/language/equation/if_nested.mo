model M
  Real x;
  Real y;
equation
  if time > 1 then
    if time > 2 then
      x = 1;
    else
      x = 2;
    end if;
    y = 1;
  else
    x = 3;
    y = 2;
  end if;
end M;
// expect flat:
// model M
//   Real x;
//   Real y;
// equation
//   if time > 1.0 then
//     if time > 2.0 then
//       x = 1.0;
//     else
//       x = 2.0;
//     end if;
//     y = 1.0;
//   else
//     x = 3.0;
//     y = 2.0;
//   end if;
// end M;
