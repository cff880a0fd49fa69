model M
  Integer n;
algorithm
  n += 1;
end M;
// expect error: 4:5 expected ':=' or '(' in the statement, found '+'
// expect note: 4:5 an assignment in full is 'n := n + 1'
