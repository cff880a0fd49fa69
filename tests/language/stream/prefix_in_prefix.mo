connector Port
  Real p;
  flow Real m;
  stream Real h;
end Port;
connector Pair
  Real p;
  flow Real m;
  stream Port c;
end Pair;
model M
  Pair c(p = 1, c(p = 1, h = 1));
end M;
// expect error: 9:3 a stream variable must be Real or a record, but 'c' is a connector
