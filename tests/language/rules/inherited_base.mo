// Section 5.6.1: the name of a base class is not inherited.
model A
  model B
    Real x = 1;
  end B;
end A;
model M
  extends A;
  extends B;
end M;
// expect error: 9:11 the name of a base class cannot be inherited, as 'B' is; name the class that has it
