model A
  extends B;
  extends C.D;
  extends .E.F;
  extends G(x = 1, y(start = 2));
  extends H annotation(IconMap(primitivesVisible = false));
  extends I() annotation();
protected
  extends J;
end A;
