model A
equation
  a = b != c;
  a = b && c;
  a = b || c;
  a = !b;
end A;
// expect error: 3:9 Modelica writes '<>' for '!='
// expect error: 4:9 Modelica writes 'and' for '&&'
// expect error: 5:9 Modelica writes 'or' for '||'
// expect error: 6:7 Modelica writes 'not' for '!'
