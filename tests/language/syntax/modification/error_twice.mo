package A = B(x = 1)(y = 2);
// expect error: 1:21 expected ';' behind the class, found '('
