model M
  Real x = time;
  Real y = pre(x);
end M;
// expect error: 3:12 'pre' needs a variable that changes at events only, but 'x' is continuous; in a when clause it may be
