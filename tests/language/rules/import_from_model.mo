// Section 13.2.1.
package P
  model A
    constant Real c = 1;
  end A;
end P;
model M
  import P.A.c;
  Real x = c;
end M;
// expect error: 8:3 'P.A' is a model: only elements of packages can be imported
