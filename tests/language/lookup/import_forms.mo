package Lib
  constant Real one = 1;
  constant Real two = 2;
  constant Real three = 3;
  constant Real four = 4;
  package Sub
    constant Real five = 5;
    model A
      Real x = five;
    end A;
  end Sub;
end Lib;
model M
  import Lib.one;
  import zwei = Lib.two;
  import Lib.{three, four};
  import Lib.Sub.*;
  Real y[5] = {one, zwei, three, four, five};
  A a;
end M;
// expect flat:
// model M
//   Real 'y[1]';
//   Real 'y[2]';
//   Real 'y[3]';
//   Real 'y[4]';
//   Real 'y[5]';
//   Real 'a.x';
// equation
//   'y[1]' = 1.0;
//   'y[2]' = 2.0;
//   'y[3]' = 3.0;
//   'y[4]' = 4.0;
//   'y[5]' = 5.0;
//   'a.x' = 5.0;
// end M;
