model M
  Real x = time;
  Boolean b = change(x);
end M;
// expect error: 3:15 'change' needs a variable that changes at events only, but 'x' is continuous; in a when clause it may be
