// An array of expandable connectors in one: all elements have the same components, as many as the
// parameters of the bus say; what no element is connected with is dropped.
connector RealInput = input Real;
connector RealOutput = output Real;
block Gain
  RealInput u;
  Real y = 2*u;
end Gain;
expandable connector CellBus
  Real v;
end CellBus;
expandable connector StackBus
  parameter Integer n = 1;
  CellBus cell[n];
end StackBus;
model Cell
  parameter Real k = 1;
  CellBus bus;
  RealOutput y = k*time;
  RealOutput extra = 10*k;
equation
  connect(y, bus.v);
  connect(extra, bus.extra);
end Cell;
model M
  Cell cells[2](k = {1, 2});
  StackBus bus(n = 2), unused(n = 3);
  Gain all[2], one;
equation
  connect(cells.bus, bus.cell);
  connect(bus.cell.extra, all.u);
  connect(bus.cell[2].v, one.u);
end M;
// expect flat:
// model M
//   parameter Real 'cells[1].k' = 1.0;
//   Real 'cells[1].bus.v';
//   Real 'cells[1].bus.extra';
//   Real 'cells[1].y';
//   Real 'cells[1].extra';
//   parameter Real 'cells[2].k' = 2.0;
//   Real 'cells[2].bus.v';
//   Real 'cells[2].bus.extra';
//   Real 'cells[2].y';
//   Real 'cells[2].extra';
//   parameter Integer 'bus.n' = 2;
//   Real 'bus.cell[1].v';
//   Real 'bus.cell[1].extra';
//   Real 'bus.cell[2].v';
//   Real 'bus.cell[2].extra';
//   parameter Integer 'unused.n' = 3;
//   Real 'all[1].u';
//   Real 'all[1].y';
//   Real 'all[2].u';
//   Real 'all[2].y';
//   Real 'one.u';
//   Real 'one.y';
// equation
//   'cells[1].y' = 'cells[1].k'*time;
//   'cells[1].extra' = 10.0*'cells[1].k';
//   'cells[2].y' = 'cells[2].k'*time;
//   'cells[2].extra' = 10.0*'cells[2].k';
//   'all[1].y' = 2.0*'all[1].u';
//   'all[2].y' = 2.0*'all[2].u';
//   'one.y' = 2.0*'one.u';
//   'cells[1].y' = 'cells[1].bus.v';
//   'cells[1].extra' = 'cells[1].bus.extra';
//   'cells[2].y' = 'cells[2].bus.v';
//   'cells[2].extra' = 'cells[2].bus.extra';
//   'cells[1].bus.v' = 'bus.cell[1].v';
//   'cells[1].bus.extra' = 'bus.cell[1].extra';
//   'cells[1].bus.extra' = 'all[1].u';
//   'cells[2].bus.v' = 'bus.cell[2].v';
//   'cells[2].bus.v' = 'one.u';
//   'cells[2].bus.extra' = 'bus.cell[2].extra';
//   'cells[2].bus.extra' = 'all[2].u';
// end M;
