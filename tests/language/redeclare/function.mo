package P
  function f
    input Real x;
    output Real y;
  algorithm
    y := x;
  end f;
  function g
    input Real x;
    output Real y;
  algorithm
    y := 2*x;
  end g;
end P;
model A
  replaceable function h = P.f;
  Real y = h(time);
end A;
model M
  A a;
  A b(redeclare function h = P.g);
end M;
// expect flat:
// function 'A.h'
//   input Real x;
//   output Real y;
// algorithm
//   y := x;
// end 'A.h';
// function 'M.h'
//   input Real x;
//   output Real y;
// algorithm
//   y := 2.0*x;
// end 'M.h';
// model M
//   Real 'a.y';
//   Real 'b.y';
// equation
//   'a.y' = 'A.h'(time);
//   'b.y' = 'M.h'(time);
// end M;
