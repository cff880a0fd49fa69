model M
  import Lib.Sub.*;
  import L = Lib;
  Deep d;
  L.Part p;
end M;
// path: path
// expect flat:
// model M
//   Real 'd.z';
//   Real 'p.y';
//   Real 'p.i.x';
// equation
//   'd.z' = 6.0;
//   'p.y' = 5.0;
//   'p.i.x' = 2.0;
// end M;
