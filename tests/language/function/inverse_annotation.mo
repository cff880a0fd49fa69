function h_T
  input Real T;
  input Real p;
  output Real h;
algorithm
  h := T*p;
  annotation(inverse(T = T_h(h, p)));
end h_T;
function T_h
  input Real h;
  input Real p;
  output Real T;
algorithm
  T := h/p;
end T_h;
model M
  Real T;
equation
  3 + time = h_T(T, 2);
end M;
// expect flat:
// function h_T
//   input Real T;
//   input Real p;
//   output Real h;
// algorithm
//   h := T*p;
//   annotation(inverse(T = T_h(h, p)));
// end h_T;
// function T_h
//   input Real h;
//   input Real p;
//   output Real T;
// algorithm
//   T := h/p;
// end T_h;
// model M
//   Real T;
// equation
//   3.0 + time = h_T(T, 2.0);
// end M;
