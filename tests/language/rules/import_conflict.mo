// Section 5.3.1: two imports of all elements that have one name.
package P
  constant Real c = 1;
end P;
package Q
  constant Real c = 2;
end Q;
model M
  import P.*;
  import Q.*;
  Real x = c;
end M;
// expect error: 10:3 'c' is imported from both 'P' and 'Q'; import the one that is meant by its name
