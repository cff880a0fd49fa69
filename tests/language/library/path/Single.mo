package Single "A library in a file"
  constant Real s = 4;
end Single;
// expect error: 0:0 there is no model to be simulated
