model M
  Integer i = 5 / 2;
  Boolean b = 1;
  Real x = true;
  parameter String s = 3;
end M;
// expect error: 2:15 the binding of 'i' must be Integer, but this is Real; integer(...) makes a whole number of it
// expect error: 3:15 the binding of 'b' must be Boolean, but this is Integer; a comparison, 'x > 0', makes a Boolean of it
// expect error: 4:12 the binding of 'x' must be Real, but this is Boolean; 'if b then 1 else 0' makes a number of it
// expect error: 5:24 the binding of 's' must be String, but this is Integer; String(...) makes a text of it
