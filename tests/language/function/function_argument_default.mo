// A default function; several results; a function that is called as a statement.
package P
  partial function F
    input Real x;
    output Real y;
    output Real z;
  end F;
  function h
    extends F;
    input Real k = 3;
  algorithm
    y := k*x;
    z := x;
  end h;
  function g
    input Real x;
    input F f = h;
    output Real y;
  protected
    Real z;
  algorithm
    (y, z) := f(x);
    y := y + z;
  end g;
end P;
model M
  Real a = P.g(time);
  Real b = P.g(time, P.h);
  Real c;
algorithm
  c := P.g(f = function P.h(k = time), x = time);
end M;
// expect flat:
// function 'P.g'
//   input Real x;
//   output Real y;
//   protected Real z;
// algorithm
//   (y, z) := 'P.h'(x, 3.0);
//   y := y + z;
// end 'P.g';
// function 'P.h'
//   input Real x;
//   input Real k = 3.0;
//   output Real y;
//   output Real z;
// algorithm
//   y := k*x;
//   z := x;
// end 'P.h';
// function 'P.g_2'
//   input Real x;
//   input Real 'f.k';
//   output Real y;
//   protected Real z;
// algorithm
//   (y, z) := 'P.h'(x, 'f.k');
//   y := y + z;
// end 'P.g_2';
// model M
//   Real a;
//   Real b;
//   Real c;
// equation
//   a = 'P.g'(time);
//   b = 'P.g'(time);
// algorithm
//   c := 'P.g_2'(time, time);
// end M;
