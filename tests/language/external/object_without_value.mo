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
model M
  A a = A();
  A c;
end M;
// expect error: 14:5 the external object 'c' has no value: 'c = A(...)' makes one
