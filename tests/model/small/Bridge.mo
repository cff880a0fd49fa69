model Bridge "A bridge of four leaking diodes charges a capacitor, switched on at a zero of its source"
  model Diode
    parameter Real Ron = 1e-5, Goff = 1e-5;
    Real s, i, v = s*(if off then 1 else Ron);
    Boolean off = s < 0;
  equation
    i = s*(if off then Goff else 1);
  end Diode;
  constant Real pi = 3.14159265358979323846;
  parameter Real C = 1e-2, R = 100;
  Diode up[2], down[2] "to and from the two ends of the source, of which the second is the ground";
  Boolean on = time >= 0.25;
  Real e = 12*sin(2*pi*60*time), a "the other end", p, n, i;
  Real vc(start = 0, fixed = true) = p - n;
equation
  0 = if on then e - a else i;
  up[1].v = a - p;
  up[2].v = -p;
  down[1].v = n - a;
  down[2].v = n;
  i = up[1].i - down[1].i;
  C*der(vc) = up[1].i + up[2].i - vc/R;
  up[1].i + up[2].i = down[1].i + down[2].i;
end Bridge;
