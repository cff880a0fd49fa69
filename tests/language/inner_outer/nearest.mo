model Part
  outer Real T;
  Real x = T;
end Part;
model Room
  inner Real T = 2;
  Part p;
end Room;
model M
  inner Real T = 1;
  Part p;
  Room r;
end M;
// expect flat:
// model M
//   Real T;
//   Real 'p.x';
//   Real 'r.T';
//   Real 'r.p.x';
// equation
//   T = 1.0;
//   'p.x' = T;
//   'r.T' = 2.0;
//   'r.p.x' = 'r.T';
// end M;
