model M
  Integer n(start = 0);
equation
  when time > 1 then
    if n > 3 then
      n = 0;
    else
      n = pre(n) + 1;
    end if;
  end when;
end M;
// expect flat:
// model M
//   Integer n(start = 0);
// equation
//   when time > 1.0 then
//     if n > 3 then
//       n = 0;
//     else
//       n = pre(n) + 1;
//     end if;
//   end when;
// end M;
