package P
  constant Real x = 1;
end P;
model M
  P p;
end M;
// expect error: 5:3 a package cannot be the type of a component, as 'P' is
