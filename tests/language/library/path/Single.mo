package Single "A library in a file"
  constant Real s = 4;
end Single;
// expect error: 1:9 there is no model to be simulated: 'Single' is a package
