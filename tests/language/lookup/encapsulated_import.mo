package P
  constant Real c = 1;
  encapsulated model E
    import P.c;
    Real x = c*sin(time);
    StateSelect s = StateSelect.always;
  end E;
end P;
model M
  P.E e;
end M;
// expect flat:
// model M
//   Real 'e.x';
//   StateSelect 'e.s';
// equation
//   'e.x' = 1.0*sin(time);
//   'e.s' = StateSelect.always;
// end M;
