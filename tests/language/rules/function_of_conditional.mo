// Section 4.4.5.
model A
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
  end f;
end A;
model M
  A a if true;
  Real x = a.f(1);
end M;
// expect error: 12:12 'a' is conditional: such a component can be used in connections only
