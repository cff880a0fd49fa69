expandable connector Bus
end Bus;
model M
  Bus bus;
  Real x = time;
end M;
// expect error: 4:3 expandable connectors are not supported ('Bus')
