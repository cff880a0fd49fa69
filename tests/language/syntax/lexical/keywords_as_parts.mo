// Words that merely contain keywords are identifiers.
model endless
  Real equation1, ifx, forloop, modelX, _end, Model, END, ender, notx, andy, orbit, time;
end endless;
