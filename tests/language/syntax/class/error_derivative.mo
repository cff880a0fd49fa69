function f = der(g);
function h = der(g, 1);
// expect error: 1:19 expected ',' before the variable of the derivative, found ')'
// expect error: 2:21 expected the name of an input, found number 1
