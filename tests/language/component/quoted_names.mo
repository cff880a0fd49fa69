model 'my model'
  Real 'x y' = 1;
  model A
    Real '1' = 2;
  end A;
  A 'a';
  Real y = 'x y' + 'a'.'1';
end 'my model';
// expect flat:
// model 'my model'
//   Real 'x y';
//   Real '\'a\'.\'1\'';
//   Real y;
// equation
//   'x y' = 1.0;
//   '\'a\'.\'1\'' = 2.0;
//   y = 'x y' + '\'a\'.\'1\'';
// end 'my model';
