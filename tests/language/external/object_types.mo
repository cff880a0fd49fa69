class A
  extends ExternalObject;
  function constructor
    output A a;
    external "C" a = ModelicaStandardTables_CombiTable1D_init2("NoName", "NoName", {{0, 0}}, 1, 2, {2}, 1, 1, 1, false);
  end constructor;
  function destructor
    input A a;
    external "C" ModelicaStandardTables_CombiTable1D_close(a);
  end destructor;
end A;
class B
  extends ExternalObject;
end B;
model M
  ExternalObject o;
  A a = 1;
  B b = B();
  Real x = a;
  Boolean y = a == a;
end M;
// expect error: 16:3 'ExternalObject' is partial: a class must extend it
// expect error: 17:9 the binding of 'a' must be A, but this is Integer
// expect error: 18:9 'B' is an external object without a function 'constructor'
// expect error: 19:12 the binding of 'x' must be Real, but this is A
// expect error: 20:15 '==' cannot be applied to A and A
