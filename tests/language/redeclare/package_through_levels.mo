package Air
  constant Real k = 1;
end Air;
package Oil
  constant Real k = 2;
end Oil;
model Inner
  replaceable package Medium = Air;
  Real x = Medium.k;
end Inner;
model Middle
  replaceable package Medium = Air;
  Inner i(redeclare package Medium = Medium);
end Middle;
model M
  Middle a;
  Middle b(redeclare package Medium = Oil);
end M;
// expect flat:
// model M
//   Real 'a.i.x';
//   Real 'b.i.x';
// equation
//   'a.i.x' = 1.0;
//   'b.i.x' = 2.0;
// end M;
