// The same in algorithms: here each loop assigns elements of the array it reads.
model M
  function next
    input Real p;
    output Real q = p + 1;
    output Real r = p + 2;
  algorithm
  end next;
  Real b[2];
  Real c[2];
  Real d[2];
  Real e[2];
  Real k;
algorithm
  for i loop
    (c[i], d[i]) := next(1);
  end for;
  for i loop
    assert(b[i] > 0, "positive");
  end for;
  k := 0;
  for i loop
    for j in 1:1 loop
      e[i] := j;
    end for;
  end for;
  for i loop
    while k > e[i] loop
      k := 0;
    end while;
  end for;
  for i loop
    if time > 1 then
      b[i] := 1;
    else
      b[i] := 2;
    end if;
  end for;
end M;
// expect flat:
// function 'M.next'
//   input Real p;
//   output Real q = p + 1.0;
//   output Real r = p + 2.0;
// algorithm
// end 'M.next';
// model M
//   Real 'b[1]';
//   Real 'b[2]';
//   Real 'c[1]';
//   Real 'c[2]';
//   Real 'd[1]';
//   Real 'd[2]';
//   Real 'e[1]';
//   Real 'e[2]';
//   Real k;
// algorithm
//   ('c[1]', 'd[1]') := 'M.next'(1.0);
//   ('c[2]', 'd[2]') := 'M.next'(1.0);
//   assert('b[1]' > 0.0, "positive");
//   assert('b[2]' > 0.0, "positive");
//   k := 0.0;
//   'e[1]' := 1.0;
//   'e[2]' := 1.0;
//   while k > 'e[1]' loop
//     k := 0.0;
//   end while;
//   while k > 'e[2]' loop
//     k := 0.0;
//   end while;
//   if time > 1.0 then
//     'b[1]' := 1.0;
//   else
//     'b[1]' := 2.0;
//   end if;
//   if time > 1.0 then
//     'b[2]' := 1.0;
//   else
//     'b[2]' := 2.0;
//   end if;
// end M;
