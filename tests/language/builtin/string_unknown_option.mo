model M
  parameter String a = String(1, width = 3);
  Real x = time;
end M;
// expect error: 2:34 'String' has no argument 'width'
