// Section 4.1.
model A
protected
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
  end f;
end A;
model M
  A a;
  Real x = a.f(1);
end M;
// expect error: 13:14 'f' is protected in 'A'
