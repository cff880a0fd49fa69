model M
  Integer n(start=0, fixed=true);
  Real y = noEvent(max(0, time - 0.537));
equation
  when y > 0 then n = pre(n) + 1; end when;
end M;
