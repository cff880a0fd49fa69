package El "ideal electrical parts"
  connector Pin Real v; flow Real i; end Pin;
  partial model One Pin p, n; Real u, i; equation u = p.v - n.v; i = p.i; p.i + n.i = 0; end One;
  model G Pin p; equation p.v = 0; end G;
  model V extends One; parameter Real V = 1; equation u = V; end V;
  model Vs extends One; input Real e; equation u = e; end Vs;
  model Is extends One; input Real e; equation i = e; end Is;
  model R extends One; parameter Real R = 1; equation u = R*i; end R;
  model L extends One; parameter Real L = 1; equation u = L*der(i); end L;
  model C extends One; parameter Real C = 1; equation i = C*der(u); end C;
  model Sw extends One; input Boolean on; equation if on then u = 0; else i = 0; end if; end Sw;
  model D "parametric" extends One; Boolean on(start = false); Real s; equation
    on = s > 0; if on then u = 0; s = i; else i = 0; s = u; end if; end D;
  model Dw "in other words" extends One; Boolean on(start = false); Real s; equation
    on = s > 0; if on then 2*u = 0; s = i; else -i = 0; 3*s = 3*u; end if; end Dw;
  model Dh "automaton" extends One; Boolean on(start = false, fixed = true); equation
    on = if pre(on) then i >= 0 else u > 0; if on then u = 0; else i = 0; end if; end Dh;
  model Dx "textbook" extends One; Boolean on(start = false); Real s; equation
    on = s > 0; u = if on then 0 else s; i = if on then s else 0; end Dx;
  model Dm "relations mixed" extends One; Boolean off; Real s; equation
    off = s < 0; i = if s > 0 then s else 0; u = if off then s else 0; end Dm;
  model Dmin "by the smaller" extends One; equation 0 = min(i, -u); end Dmin;
  model Dmax "by the larger" extends One; equation i = max(0, i + u); end Dmax;
  model Dg "a conductance" extends One; parameter Real Gon = 1e3, Goff = 1e-3; equation
    i = u*(if u > 0 then Gon else Goff); end Dg;
  model Tp "thyristor" extends One; input Boolean gate; Boolean on(start = false); Real s; equation
    on = s > 0 and (pre(on) or gate); if on then u = 0; s = i; else i = 0; s = u; end if; end Tp;
  model Th "thyristor automaton" extends One; input Boolean gate; Boolean on(start = false, fixed = true); equation
    on = if pre(on) then i >= 0 else u > 0 and gate; if on then u = 0; else i = 0; end if; end Th;
  model Dl "of the library, leaking" extends One; parameter Real Ron = 1e-5, Goff = 1e-5; Boolean off; Real s; equation
    off = s < 0; u = s*(if off then 1 else Ron); i = s*(if off then Goff else 1); end Dl;
end El;
