// Section 4.6.
package A
  operator record R
  end R;
end A;
package B
  extends A;
  constant Real c = 1;
end B;
model M
  Real x = B.c;
end M;
// expect error: 7:11 'A' cannot be extended, since it contains the operator record 'R'; 'B = A' can rename it
