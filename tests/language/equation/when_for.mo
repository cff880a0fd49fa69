model M
  Integer n[3](each start = 0);
equation
  for i in 1:3 loop
    when time > i then
      n[i] = i;
    end when;
  end for;
end M;
// expect flat:
// model M
//   Integer 'n[1]'(start = 0);
//   Integer 'n[2]'(start = 0);
//   Integer 'n[3]'(start = 0);
// equation
//   when time > 1.0 then
//     'n[1]' = 1;
//   end when;
//   when time > 2.0 then
//     'n[2]' = 2;
//   end when;
//   when time > 3.0 then
//     'n[3]' = 3;
//   end when;
// end M;
