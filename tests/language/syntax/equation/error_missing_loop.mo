model A
equation
  for i in 1:3
    x[i] = 1;
  end for;
  for i = 1:3 loop
    x[i] = 1;
  end for;
  for 3 loop
    x = 1;
  end for;
  y = 2;
end A;
// expect error: 4:5 expected 'loop' behind the iterators, found identifier 'x'
// expect error: 6:9 the range of an iterator stands behind 'in', not '='
// expect error: 9:7 expected the name of an iterator, found number 3
