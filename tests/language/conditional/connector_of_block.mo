connector RealInput = input Real;
connector RealOutput = output Real;
block Gain
  parameter Boolean useInput = false;
  RealInput k if useInput;
  RealInput u;
  RealOutput y;
protected
  RealInput inside "Needed to connect to a connector that may be absent";
equation
  connect(k, inside);
  if not useInput then
    inside = 2;
  end if;
  y = inside*u;
end Gain;
model M
  Gain a;
  Gain b(useInput = true);
  RealOutput seven = 7;
equation
  a.u = time;
  b.u = time;
  connect(seven, b.k);
end M;
// expect flat:
// model M
//   parameter Boolean 'a.useInput' = false;
//   Real 'a.u';
//   Real 'a.y';
// protected
//   Real 'a.inside' "Needed to connect to a connector that may be absent";
// public
//   parameter Boolean 'b.useInput' = true;
//   Real 'b.k';
//   Real 'b.u';
//   Real 'b.y';
// protected
//   Real 'b.inside' "Needed to connect to a connector that may be absent";
// public
//   output Real seven;
// equation
//   'a.inside' = 2.0;
//   'a.y' = 'a.inside'*'a.u';
//   'b.y' = 'b.inside'*'b.u';
//   seven = 7.0;
//   'a.u' = time;
//   'b.u' = time;
//   'b.k' = 'b.inside';
//   seven = 'b.k';
// end M;
