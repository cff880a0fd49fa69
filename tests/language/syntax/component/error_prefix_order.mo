model A
  input parameter Real a;
  parameter final Real b;
  outer inner Real c;
  parameter parameter Real d;
  parameter constant Real e;
  flow stream Real f;
  each Real g;
  parameter model M end M;
end A;
// expect error: 2:9 'parameter' must stand before 'input'
// expect error: 3:13 'final' must stand before 'parameter'
// expect error: 4:9 'inner' must stand before 'outer'
// expect error: 5:13 'parameter' stands here twice
// expect error: 6:13 'parameter' and 'constant' exclude each other
// expect error: 7:8 'flow' and 'stream' exclude each other
// expect error: 8:3 'each' stands only in modifiers
// expect error: 9:3 'parameter' cannot stand before a class
