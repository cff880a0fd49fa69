package Lib "A library in a folder"
  constant Real k = 2;
  model Inside
    Real x = k;
  end Inside;
end Lib;
