within Lib;
model Part
  Real y = k + Sub.c;
  Inside i;
end Part;
