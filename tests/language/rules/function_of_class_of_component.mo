// Section 5.3.2: a function by a component and a class in it.
model A
  package P
  function f
    input Real u;
    output Real y;
  algorithm
    y := u;
  end f;
  end P;
end A;
model M
  A a;
  Real x = a.P.f(time);
end M;
// expect flat:
// function 'A.P.f'
//   input Real u;
//   output Real y;
// algorithm
//   y := u;
// end 'A.P.f';
// model M
//   Real x;
// equation
//   x = 'A.P.f'(time);
// end M;
