model M
  Missing.Part p;
end M;
// path: path
// expect error: 2:3 there is no type 'Missing' in 'M'
// expect note: 2:3 a library 'Missing' is not there either
