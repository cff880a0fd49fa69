model CarAxis "A car's axle on a bumpy road: two constraints, index 3"
  parameter Real L = 1, L0 = 0.5, eps = 1e-2, M = 10, r = 0.1, w = 10;
  Real xl(start = 0), yl(start = 0.5, fixed = true), xr(start = 1), yr(start = 0.5, fixed = true);
  Real ul(start = -0.5), vl(start = 0, fixed = true), ur(start = -0.5), vr(start = 0, fixed = true);
  Real lambda1, lambda2 "Forces of the constraints";
  Real yb = r * sin(w * time), xb = sqrt(L ^ 2 - yb ^ 2) "The right wheel's axle";
  Real Ll = sqrt(xl ^ 2 + yl ^ 2), Lr = sqrt((xr - xb) ^ 2 + (yr - yb) ^ 2) "Springs";
protected
  parameter Real m = eps ^ 2 * M / 2;
equation
  der(xl) = ul;
  der(yl) = vl;
  der(xr) = ur;
  der(yr) = vr;
  m * der(ul) = (L0 - Ll) * xl / Ll + lambda1 * xb + 2 * lambda2 * (xl - xr);
  m * der(vl) = (L0 - Ll) * yl / Ll + lambda1 * yb + 2 * lambda2 * (yl - yr) - m;
  m * der(ur) = (L0 - Lr) * (xr - xb) / Lr - 2 * lambda2 * (xl - xr);
  m * der(vr) = (L0 - Lr) * (yr - yb) / Lr - 2 * lambda2 * (yl - yr) - m;
  xl * xb + yl * yb = 0;
  (xl - xr) ^ 2 + (yl - yr) ^ 2 = L ^ 2;
  annotation(experiment(StopTime = 3, Tolerance = 1e-10));
end CarAxis;
