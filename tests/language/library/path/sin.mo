This file is no Modelica: it must not be read when sin(x) is called.
// expect error: 1:1 expected the definition of a class, found identifier 'This'
