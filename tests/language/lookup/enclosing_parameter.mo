model Outer
  parameter Real k = 2;
  model Inner
    Real x = k;
  end Inner;
  Inner i;
end Outer;
// expect error: 4:14 'k' is a parameter of 'Outer': from here only its constants can be used
