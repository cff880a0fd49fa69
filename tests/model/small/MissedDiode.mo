model MissedDiode "One leaking diode charges a capacitor, from a zero of its source on"
  constant Real pi = 3.14159265358979323846;
  parameter Real C = 1e-2, R = 100, Ron = 1e-5, Goff = 1e-5;
  Real e = if time < 0.25 then 0 else 12*sin(2*pi*60*time), s, i, vc(start = 0, fixed = true);
  Boolean off = s < 0;
equation
  e - vc = if off then s else Ron*s;
  i = if off then Goff*s else s;
  C*der(vc) = i - vc/R;
end MissedDiode;
