// at the top
/* a block */ model /* within */ A // behind the name
  /* before */ Real x; // behind x
  Real y /* inside */ = 1 /* and here */ ; /* one */ /* two */ // three
  // alone
equation // behind a keyword
  // before an equation
  x = 1 + /* in an expression */ 2;
  if x > 1 then // behind then
    y = 2;
    // last in the branch
  else // behind else
    y = 3;
  end if; // behind end if
  for i in 1:2 loop // behind loop
    z[i] = i;
  end for;
  /* many
     lines
   */
  /**/ /***/ /* / * // */
  // last in the class
end A; // behind the class
// at the end
