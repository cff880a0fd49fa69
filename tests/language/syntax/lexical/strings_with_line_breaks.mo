model A
  String s = "one
two // not a comment
/* nor this */
three";
end A;
