model M
equation
  assert(true, 3);
end M;
// expect error: 3:16 the message must be String, but this is Integer
