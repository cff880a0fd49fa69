// Final members are no inputs of the constructor (section 12.6); they may depend on each other.
record Data
  parameter Real r = 1;
  final parameter Real b = 2*r;
  final parameter Real m = b/4;
end Data;
model M
  parameter Data d = Data(r = 3);
  parameter Real x = d.m;
end M;
// expect flat:
// model M
//   parameter Real 'd.r' = 3.0;
//   final parameter Real 'd.b' = 6.0;
//   final parameter Real 'd.m' = 1.5;
//   parameter Real x = 'd.m';
// end M;
