model M
  Real x = if time > 1 then 1 else "two";
end M;
// expect error: 2:12 the branches of 'if' have different types: Integer and String
