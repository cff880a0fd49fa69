model M
  Real z = homotopy(time);
end M;
// expect error: 2:12 'homotopy' takes 2 arguments, but 1 is given
