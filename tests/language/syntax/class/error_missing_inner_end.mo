package A
  model B
    Real x;
  model C
    Real y;
  end C;
end A;
// expect error: 7:1 expected 'end B' before 'end A'
// expect note: 2:9 class 'B' begins here
