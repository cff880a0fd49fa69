model M
  Missing.Part p;
end M;
// path: path
// expect error: 2:3 there is no type 'Missing' in 'M'
