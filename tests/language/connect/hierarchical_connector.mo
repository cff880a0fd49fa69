connector Pin
  Real v;
  flow Real i;
end Pin;
connector Plug
  Pin a;
  Pin b[2];
end Plug;
model Load
  Plug p;
equation
  p.a.v = p.a.i;
  p.b.v = p.b.i;
end Load;
model M
  Load x;
  Load y;
  Load z;
equation
  connect(x.p, y.p);
  connect(x.p.a, z.p.a);
end M;
// expect flat:
// model M
//   Real 'x.p.a.v';
//   Real 'x.p.a.i';
//   Real 'x.p.b[1].v';
//   Real 'x.p.b[1].i';
//   Real 'x.p.b[2].v';
//   Real 'x.p.b[2].i';
//   Real 'y.p.a.v';
//   Real 'y.p.a.i';
//   Real 'y.p.b[1].v';
//   Real 'y.p.b[1].i';
//   Real 'y.p.b[2].v';
//   Real 'y.p.b[2].i';
//   Real 'z.p.a.v';
//   Real 'z.p.a.i';
//   Real 'z.p.b[1].v';
//   Real 'z.p.b[1].i';
//   Real 'z.p.b[2].v';
//   Real 'z.p.b[2].i';
// equation
//   'x.p.a.v' = 'x.p.a.i';
//   'x.p.b[1].v' = 'x.p.b[1].i';
//   'x.p.b[2].v' = 'x.p.b[2].i';
//   'y.p.a.v' = 'y.p.a.i';
//   'y.p.b[1].v' = 'y.p.b[1].i';
//   'y.p.b[2].v' = 'y.p.b[2].i';
//   'z.p.a.v' = 'z.p.a.i';
//   'z.p.b[1].v' = 'z.p.b[1].i';
//   'z.p.b[2].v' = 'z.p.b[2].i';
//   'x.p.a.v' = 'y.p.a.v';
//   'x.p.a.v' = 'z.p.a.v';
//   'x.p.a.i' + 'y.p.a.i' + 'z.p.a.i' = 0.0;
//   'x.p.b[1].v' = 'y.p.b[1].v';
//   'x.p.b[1].i' + 'y.p.b[1].i' = 0.0;
//   'x.p.b[2].v' = 'y.p.b[2].v';
//   'x.p.b[2].i' + 'y.p.b[2].i' = 0.0;
//   'z.p.b[1].i' = 0.0;
//   'z.p.b[2].i' = 0.0;
// end M;
