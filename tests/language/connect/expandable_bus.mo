// Signals go over a bus through two levels: an undeclared scalar, an element of an undeclared array,
// a component of a nested bus, and one of an array of buses. What is declared and not connected is
// not there.
expandable connector Bus
  Real declared;
  Real unused;
end Bus;
connector In = input Real;
connector Out = output Real;
block Source
  parameter Real k = 1;
  Out y;
equation
  y = k;
end Source;
block Sink
  In u;
  Real x = 2*u;
end Sink;
model Sensors
  Bus bus;
  Source speed(k=1), first(k=2), second(k=3), inner_(k=4), fixed_(k=5);
equation
  connect(speed.y, bus.speed);
  connect(first.y, bus.x[1]);
  connect(bus.x[2], second.y);
  connect(inner_.y, bus.sub.temperature);
  connect(bus.declared, fixed_.y);
end Sensors;
model Users
  Bus bus;
  Sink speed, second, temperature;
equation
  connect(bus.speed, speed.u);
  connect(bus.x[2], second.u);
  connect(bus.sub.temperature, temperature.u);
end Users;
model M
  Bus bus[2];
  Sensors sensors;
  Users users;
  Real y = bus[1].declared;
equation
  connect(sensors.bus, bus[1]);
  connect(bus[1], users.bus);
end M;
// expect flat:
// model M
//   Real 'bus[1].declared';
//   Real 'bus[1].speed';
//   Real 'bus[1].x[1]';
//   Real 'bus[1].x[2]';
//   Real 'bus[1].sub.temperature';
//   Real 'sensors.bus.declared';
//   Real 'sensors.bus.speed';
//   Real 'sensors.bus.x[1]';
//   Real 'sensors.bus.x[2]';
//   Real 'sensors.bus.sub.temperature';
//   parameter Real 'sensors.speed.k' = 1.0;
//   Real 'sensors.speed.y';
//   parameter Real 'sensors.first.k' = 2.0;
//   Real 'sensors.first.y';
//   parameter Real 'sensors.second.k' = 3.0;
//   Real 'sensors.second.y';
//   parameter Real 'sensors.inner_.k' = 4.0;
//   Real 'sensors.inner_.y';
//   parameter Real 'sensors.fixed_.k' = 5.0;
//   Real 'sensors.fixed_.y';
//   Real 'users.bus.declared';
//   Real 'users.bus.speed';
//   Real 'users.bus.x[1]';
//   Real 'users.bus.x[2]';
//   Real 'users.bus.sub.temperature';
//   Real 'users.speed.u';
//   Real 'users.speed.x';
//   Real 'users.second.u';
//   Real 'users.second.x';
//   Real 'users.temperature.u';
//   Real 'users.temperature.x';
//   Real y;
// equation
//   'sensors.speed.y' = 'sensors.speed.k';
//   'sensors.first.y' = 'sensors.first.k';
//   'sensors.second.y' = 'sensors.second.k';
//   'sensors.inner_.y' = 'sensors.inner_.k';
//   'sensors.fixed_.y' = 'sensors.fixed_.k';
//   'users.speed.x' = 2.0*'users.speed.u';
//   'users.second.x' = 2.0*'users.second.u';
//   'users.temperature.x' = 2.0*'users.temperature.u';
//   y = 'bus[1].declared';
//   'sensors.speed.y' = 'sensors.bus.speed';
//   'sensors.first.y' = 'sensors.bus.x[1]';
//   'sensors.second.y' = 'sensors.bus.x[2]';
//   'sensors.inner_.y' = 'sensors.bus.sub.temperature';
//   'sensors.fixed_.y' = 'sensors.bus.declared';
//   'users.bus.speed' = 'users.speed.u';
//   'users.bus.x[2]' = 'users.second.u';
//   'users.bus.sub.temperature' = 'users.temperature.u';
//   'sensors.bus.declared' = 'bus[1].declared';
//   'sensors.bus.declared' = 'users.bus.declared';
//   'sensors.bus.speed' = 'bus[1].speed';
//   'sensors.bus.speed' = 'users.bus.speed';
//   'sensors.bus.x[1]' = 'bus[1].x[1]';
//   'sensors.bus.x[1]' = 'users.bus.x[1]';
//   'sensors.bus.x[2]' = 'bus[1].x[2]';
//   'sensors.bus.x[2]' = 'users.bus.x[2]';
//   'sensors.bus.sub.temperature' = 'bus[1].sub.temperature';
//   'sensors.bus.sub.temperature' = 'users.bus.sub.temperature';
// end M;
