function f
  external "C" a.b(x);
end f;
function g
  external "C" y = ;
end g;
// expect error: 2:16 the name of an external function has one part only
// expect error: 5:20 expected the name of a function, found ';'
