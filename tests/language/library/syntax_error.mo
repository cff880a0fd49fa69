model M
  Lib.Broken b;
end M;
// path: path
// expect error: 3:11 expected an expression, found ';'
