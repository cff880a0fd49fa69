record R
  Real x;
end R;
// model: R
// expect error: 1:8 'R' is a record; only a model or a block can be simulated
