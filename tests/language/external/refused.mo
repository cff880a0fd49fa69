impure function remove
  input String name;
  external "C" ModelicaInternal_removeFile(name);
end remove;
model M
equation
  when terminal() then
    remove("x");
  end when;
end M;
// expect error: 8:5 'remove' is an external function that is refused: a model does not remove files
// expect note: 3:3 it is called here
