// Section 7.3.3: what is protected stays so.
model A
protected
  replaceable Real x = 2;
end A;
model M
  extends A;
  redeclare Real x = 3;
end M;
// expect error: 8:18 'x' is protected and cannot be redeclared as public
