// An array in an expandable connector has the sizes of its name and those of its type.
expandable connector Bus
  Real[2] a[1];
end Bus;
connector RealInput = input Real;
connector RealOutput = output Real;
block Source
  RealOutput y[1, 2] = {{time, 2*time}};
end Source;
block Sink
  RealInput u[1, 2];
end Sink;
model M
  Source source;
  Sink sink;
  Bus bus;
equation
  connect(source.y, bus.a);
  connect(bus.a, sink.u);
end M;
// expect flat:
// model M
//   Real 'source.y[1,1]';
//   Real 'source.y[1,2]';
//   Real 'sink.u[1,1]';
//   Real 'sink.u[1,2]';
//   Real 'bus.a[1,1]';
//   Real 'bus.a[1,2]';
// equation
//   'source.y[1,1]' = time;
//   'source.y[1,2]' = 2.0*time;
//   'source.y[1,1]' = 'bus.a[1,1]';
//   'source.y[1,1]' = 'sink.u[1,1]';
//   'source.y[1,2]' = 'bus.a[1,2]';
//   'source.y[1,2]' = 'sink.u[1,2]';
// end M;
