// Section 5.3.2.
model A
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
  end f;
end A;
model M
  A a[2];
  Real x = a.f(1);
end M;
// expect error: 12:12 'a' is an array: a function cannot be called by its name
