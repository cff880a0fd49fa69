package Versioned
  constant Real number = 1.2;
end Versioned;
