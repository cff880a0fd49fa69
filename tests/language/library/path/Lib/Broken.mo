within Lib;
model Broken
  Real x =;
end Broken;
