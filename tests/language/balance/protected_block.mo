// A block in a protected section is balanced as anywhere: its input is known from outside of it.
model M
  connector RI = input Real;
  connector RO = output Real;
  block Twice
    RI u;
    RO y;
  equation
    y = 2*u;
  end Twice;
  model Valve
    RI opening;
    Real m;
  protected
    Twice twice;
    RI inside;
  equation
    connect(opening, twice.u);
    connect(twice.y, inside);
    m = inside;
  end Valve;
  Valve v;
equation
  v.opening = time;
end M;
// expect flat:
// model M
//   Real 'v.opening';
//   Real 'v.m';
// protected
//   Real 'v.twice.u';
//   Real 'v.twice.y';
//   Real 'v.inside';
// equation
//   'v.twice.y' = 2.0*'v.twice.u';
//   'v.m' = 'v.inside';
//   'v.opening' = time;
//   'v.opening' = 'v.twice.u';
//   'v.twice.y' = 'v.inside';
// end M;
