model A
  final parameter Real p = 2;
  parameter Real q = p;
protected
  Real x = q;
public
  Real y = x;
end A;
model M
  A a;
end M;
// expect flat:
// model M
//   final parameter Real 'a.p' = 2.0;
//   parameter Real 'a.q' = 'a.p';
// protected
//   Real 'a.x';
// public
//   Real 'a.y';
// equation
//   'a.x' = 'a.q';
//   'a.y' = 'a.x';
// end M;
