function f
  external "C";
  external "C";
end f;
// expect error: 3:3 a function has only one external part
