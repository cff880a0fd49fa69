model M
  Lib.Part p;
  Lib.Sub.Deep d;
  Real x = Single.s + Versioned.number;
end M;
// path: path
// expect flat:
// model M
//   Real 'p.y';
//   Real 'p.i.x';
//   Real 'd.z';
//   Real x;
// equation
//   'p.y' = 5.0;
//   'p.i.x' = 2.0;
//   'd.z' = 6.0;
//   x = 5.2;
// end M;
