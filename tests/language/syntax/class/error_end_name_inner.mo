package A
  model B
    Real x;
  end C;
  model D
    Real y;
  end D;
end A;
// expect error: 4:7 expected 'end B', found identifier 'C'
// expect note: 2:9 class 'B' begins here
