impure function make
  input String name;
  external "C" ModelicaInternal_mkdir(name);
end make;
model M
equation
  when terminal() then
    make("x");
  end when;
end M;
// expect error: 8:5 'make' is an external function that is refused: a model does not make folders
// expect note: 3:3 it is called here
