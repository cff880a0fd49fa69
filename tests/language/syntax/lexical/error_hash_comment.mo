model M # my model
  Real x;
end M;
// expect error: 1:9 unexpected character '#'
// expect note: 1:9 comments begin with '//'
