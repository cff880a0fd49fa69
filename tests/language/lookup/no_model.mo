package P
  constant Real x = 1;
end P;
// expect error: 1:9 there is no model to be simulated: 'P' is a package
