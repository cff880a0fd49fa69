expandable connector Bus
end Bus;
model M
  Bus bus;
end M;
// expect error: 4:3 expandable connectors are not supported ('Bus')
