model SectionSlip
  Real x(start = 1);
  Real y;
eqution
  der(x) = -x;
initial equatoin
  x = 3;
algoritm
  y := 2;
end SectionSlip;
// expect error: 4:1 the section begins with 'equation', not 'eqution'
// expect error: 6:9 the section begins with 'initial equation', not 'equatoin'
// expect error: 8:1 the section begins with 'algorithm', not 'algoritm'
