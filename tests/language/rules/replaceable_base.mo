// Section 7.1.4.
model M
  replaceable model A
    Real x = 2;
  end A;
  extends A;
end M;
// expect error: 6:11 a base class cannot be replaceable, as 'A' is
