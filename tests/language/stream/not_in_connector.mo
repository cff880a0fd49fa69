model M
  stream Real x = 1;
end M;
// expect error: 2:3 'stream' can only be used for variables of a connector, but 'x' is one of the model 'M'
