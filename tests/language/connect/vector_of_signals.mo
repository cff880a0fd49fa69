connector RealInput = input Real;
connector RealOutput = output Real;
block Mux
  parameter Integer n = 2;
  RealInput u[n];
  RealOutput y[n];
equation
  y = u;
end Mux;
model M
  Mux a(n = 3), b(n = 3), c;
equation
  a.u = {time, 2, 3};
  connect(a.y, b.u);
  connect(a.y[2:3], c.u);
end M;
// expect flat:
// model M
//   parameter Integer 'a.n' = 3;
//   Real 'a.u[1]';
//   Real 'a.u[2]';
//   Real 'a.u[3]';
//   Real 'a.y[1]';
//   Real 'a.y[2]';
//   Real 'a.y[3]';
//   parameter Integer 'b.n' = 3;
//   Real 'b.u[1]';
//   Real 'b.u[2]';
//   Real 'b.u[3]';
//   Real 'b.y[1]';
//   Real 'b.y[2]';
//   Real 'b.y[3]';
//   parameter Integer 'c.n' = 2;
//   Real 'c.u[1]';
//   Real 'c.u[2]';
//   Real 'c.y[1]';
//   Real 'c.y[2]';
// equation
//   'a.y[1]' = 'a.u[1]';
//   'a.y[2]' = 'a.u[2]';
//   'a.y[3]' = 'a.u[3]';
//   'b.y[1]' = 'b.u[1]';
//   'b.y[2]' = 'b.u[2]';
//   'b.y[3]' = 'b.u[3]';
//   'c.y[1]' = 'c.u[1]';
//   'c.y[2]' = 'c.u[2]';
//   'a.u[1]' = time;
//   'a.u[2]' = 2.0;
//   'a.u[3]' = 3.0;
//   'a.y[1]' = 'b.u[1]';
//   'a.y[2]' = 'b.u[2]';
//   'a.y[2]' = 'c.u[1]';
//   'a.y[3]' = 'b.u[3]';
//   'a.y[3]' = 'c.u[2]';
// end M;
