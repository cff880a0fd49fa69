operator record C
  Real x;
end C;
operator record D
  extends C;
  Real y;
end D;
model M
  D d(x = 1, y = 2);
end M;
// expect error: 4:17 'D' extends an operator record, which only a short class definition can do (section 4.7)
