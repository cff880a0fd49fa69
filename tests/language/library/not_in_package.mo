model M
  Lib.Prat p;
end M;
// path: path
// expect error: 2:7 there is no type 'Prat' in 'Lib'; did you mean 'Part'?
