// A redeclaration without sizes has those of what it replaces (section 7.3), in a record, too.
record Cell
  parameter Real r = 1;
end Cell;
record Large
  extends Cell(r = 2);
  parameter Real c = 3;
end Large;
record Stack
  parameter Integer n = 1;
  replaceable parameter Cell cell[n];
end Stack;
record LargeStack
  extends Stack(redeclare Large cell);
end LargeStack;
model M
  parameter LargeStack s(n = 2, cell = {Large(r = i) for i in 1:2});
  Real x = s.cell[2].r + s.cell[1].c;
end M;
// expect flat:
// model M
//   parameter Integer 's.n' = 2;
//   parameter Real 's.cell[1].r' = 1.0;
//   parameter Real 's.cell[1].c' = 3.0;
//   parameter Real 's.cell[2].r' = 2.0;
//   parameter Real 's.cell[2].c' = 3.0;
//   Real x;
// equation
//   x = 's.cell[2].r' + 's.cell[1].c';
// end M;
