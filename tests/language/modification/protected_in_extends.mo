model A
protected
  parameter Real p = 1;
end A;
model M
  extends A(p = 2);
end M;
// expect flat:
// model M
// protected
//   parameter Real p = 2.0;
// end M;
