package Versioned
  constant Real number = 1.0;
end Versioned;
