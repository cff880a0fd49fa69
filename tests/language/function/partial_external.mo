// A function of the C library that is declared as partial is none to call, either (12.2).
model M
  partial function f
    input Real a;
    output Real b;
    external "C" b = sin(a);
  end f;
  Real x = f(2);
  // expect error: 8:12 'M.f' is partial and cannot be called
  // expect note: 3:20 it is declared here
end M;
