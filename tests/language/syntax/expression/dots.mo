// Dots that belong to numbers, to operators and to names.
model A
equation
  x = 1 .* a;
  x = 1. * a;
  x = 1.*a;
  x = a.*b;
  x = a.b.*c.d;
  x = a[1].b.^2.;
  x = 2.^2;
  x = .5.*.5;
  x = 1./2;
  x = .a.b + .5;
end A;
