model M
  Lib.Wrong w;
end M;
// path: path
// expect error: 0:0 Wrong.mo' does not define 'Wrong' of package 'Lib'
