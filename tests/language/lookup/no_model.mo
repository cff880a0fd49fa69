package P
  constant Real x = 1;
end P;
// expect error: 0:0 there is no model to be simulated in the files
