model M
  model A0
    Real x = 1;
  end A0;
  model A1
    A0 a[1000];
  end A1;
  model A2
    A1 a[1000];
  end A2;
  A2 a[1000];
end M;
// expect error: 6:8 the model has more than 25000000 components and variables: 1e+09 like 'a[1].a[1].a'
