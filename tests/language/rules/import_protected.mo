// Section 13.2.1.
package P
protected
  constant Real c = 1;
end P;
model M
  import P.c;
  Real x = c;
end M;
// expect error: 7:3 'c' is protected in 'P' and cannot be imported
