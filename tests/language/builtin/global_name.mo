// A built-in function by its global name (section 5.3.3), where a function of that name hides it.
package P
  package Math
    function sin
      input Real u;
      output Real y;
    algorithm
      y := .sin(u);
    end sin;
  end Math;
  model M
    Real x = .cos(time);
    parameter Real p = Math.sin(0);
  end M;
end P;
model N
  extends P.M;
end N;
// expect flat:
// function 'P.Math.sin'
//   input Real u;
//   output Real y;
// algorithm
//   y := sin(u);
// end 'P.Math.sin';
// model N
//   Real x;
//   parameter Real p = 'P.Math.sin'(0.0);
// equation
//   x = cos(time);
// end N;
