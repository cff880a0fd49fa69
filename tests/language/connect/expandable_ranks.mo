// An array in an expandable connector has the sizes of its name and those of its type.
expandable connector Bus
  Real[2] a[1];
  Real[2] b;
end Bus;
connector RealInput = input Real;
connector RealOutput = output Real;
block Source
  RealOutput y[1, 2] = {{time, 2*time}};
  RealOutput z[2] = {3, 4};
end Source;
block Sink
  RealInput u[1, 2], v[2];
end Sink;
model M
  Source source;
  Sink sink;
  Bus bus;
equation
  connect(source.y, bus.a);
  connect(bus.a, sink.u);
  connect(source.z, bus.b);
  connect(bus.b, sink.v);
end M;
// expect flat:
// model M
//   Real 'source.y[1,1]';
//   Real 'source.y[1,2]';
//   Real 'source.z[1]';
//   Real 'source.z[2]';
//   Real 'sink.u[1,1]';
//   Real 'sink.u[1,2]';
//   Real 'sink.v[1]';
//   Real 'sink.v[2]';
//   Real 'bus.a[1,1]';
//   Real 'bus.a[1,2]';
//   Real 'bus.b[1]';
//   Real 'bus.b[2]';
// equation
//   'source.y[1,1]' = time;
//   'source.y[1,2]' = 2.0*time;
//   'source.z[1]' = 3.0;
//   'source.z[2]' = 4.0;
//   'source.y[1,1]' = 'bus.a[1,1]';
//   'source.y[1,1]' = 'sink.u[1,1]';
//   'source.y[1,2]' = 'bus.a[1,2]';
//   'source.y[1,2]' = 'sink.u[1,2]';
//   'source.z[1]' = 'bus.b[1]';
//   'source.z[1]' = 'sink.v[1]';
//   'source.z[2]' = 'bus.b[2]';
//   'source.z[2]' = 'sink.v[2]';
// end M;
