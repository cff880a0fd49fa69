// By one input, by several, of a derivative, of a built-in function; in a package.
package P
  function f
    input Real x;
    input Real p;
    input Real c[:] = {1, 2};
    output Real y;
  protected
    Real t = x*p;
  algorithm
    y := t^2 + sum(c);
  end f;
  function f_x = der(f, x);
  function f_xp = der(f, x, p);
  function f_px = der(f_p, x);
  function f_p = der(f, p);
end P;
function cosine = der(sin, u);
model M
  Real a = P.f_x(time, 2);
  Real b = P.f_xp(time, 2, {1, 2, 3}) + P.f_px(time, 2);
  Real c = cosine(u = time);
end M;
// expect flat:
// function 'P.f_x' = der('P.f', x);
// function 'P.f'
//   input Real x;
//   input Real p;
//   input Real c[:] = {1.0, 2.0};
//   output Real y;
//   protected Real t = x*p;
// algorithm
//   y := t^2.0 + sum(c);
// end 'P.f';
// function 'P.f_xp' = der('P.f', x, p);
// function 'P.f_px' = der('P.f_p', x);
// function 'P.f_p' = der('P.f', p);
// function cosine = der(sin_function, u);
// function sin_function
//   input Real u;
//   output Real result;
// algorithm
//   result := sin(u);
// end sin_function;
// model M
//   Real a;
//   Real b;
//   Real c;
// equation
//   a = 'P.f_x'(time, 2.0, {1.0, 2.0});
//   b = 'P.f_xp'(time, 2.0, {1.0, 2.0, 3.0}) + 'P.f_px'(time, 2.0, {1.0, 2.0});
//   c = cosine(time);
// end M;
