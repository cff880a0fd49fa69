connector Flange
  Real phi(unit = "rad");
  flow Real tau(unit = "N.m");
end Flange;
partial model Compliant
  Flange flange_a;
  Flange flange_b;
  Real phi_rel(unit = "rad", start = 0, stateSelect = stateSelect, nominal = if phi_nominal >= 1e-15 then phi_nominal else 1);
  Real w_rel(unit = "rad/s", start = 0, stateSelect = stateSelect);
  Real tau(unit = "N.m");
  parameter Real phi_nominal(unit = "rad", min = 0) = 1e-4;
  parameter StateSelect stateSelect = StateSelect.prefer;
equation
  phi_rel = flange_b.phi - flange_a.phi;
  w_rel = der(phi_rel);
  flange_b.tau = tau;
  flange_a.tau = -tau;
end Compliant;
model SpringDamper
  parameter Real c(final min = 0, start = 1e5, unit = "N.m/rad");
  parameter Real d(final min = 0, start = 0, unit = "N.m.s/rad");
  extends Compliant;
equation
  tau = c*phi_rel + d*w_rel;
end SpringDamper;
model Inertia
  Flange flange_a;
  Flange flange_b;
  parameter Real J(min = 0, start = 1, unit = "kg.m2");
  parameter StateSelect stateSelect = StateSelect.default;
  Real phi(start = 0, unit = "rad", stateSelect = stateSelect);
  Real w(start = 0, unit = "rad/s", stateSelect = stateSelect);
  Real a(start = 0, unit = "rad/s2");
equation
  phi = flange_a.phi;
  phi = flange_b.phi;
  w = der(phi);
  a = der(w);
  J*a = flange_a.tau + flange_b.tau;
end Inertia;
model M
  Inertia J1(J = 1, phi(fixed = true, start = 0.1), w.fixed = true);
  SpringDamper s(c = 10, d = 0.5);
  Inertia J2(J = 2);
equation
  connect(J1.flange_b, s.flange_a);
  connect(s.flange_b, J2.flange_a);
end M;
// expect flat:
// model M
//   Real 'J1.flange_a.phi'(unit = "rad");
//   Real 'J1.flange_a.tau'(unit = "N.m");
//   Real 'J1.flange_b.phi'(unit = "rad");
//   Real 'J1.flange_b.tau'(unit = "N.m");
//   parameter Real 'J1.J'(unit = "kg.m2", min = 0.0, start = 1.0) = 1.0;
//   parameter StateSelect 'J1.stateSelect' = StateSelect.default;
//   Real 'J1.phi'(unit = "rad", start = 0.1, fixed = true);
//   Real 'J1.w'(unit = "rad/s", start = 0.0, fixed = true);
//   Real 'J1.a'(unit = "rad/s2", start = 0.0);
//   parameter Real 's.c'(unit = "N.m/rad", min = 0.0, start = 100000.0) = 10.0;
//   parameter Real 's.d'(unit = "N.m.s/rad", min = 0.0, start = 0.0) = 0.5;
//   Real 's.flange_a.phi'(unit = "rad");
//   Real 's.flange_a.tau'(unit = "N.m");
//   Real 's.flange_b.phi'(unit = "rad");
//   Real 's.flange_b.tau'(unit = "N.m");
//   Real 's.phi_rel'(unit = "rad", start = 0.0, nominal = if 's.phi_nominal' >= 1e-15 then 's.phi_nominal' else 1.0, stateSelect = StateSelect.prefer);
//   Real 's.w_rel'(unit = "rad/s", start = 0.0, stateSelect = StateSelect.prefer);
//   Real 's.tau'(unit = "N.m");
//   parameter Real 's.phi_nominal'(unit = "rad", min = 0.0) = 0.0001;
//   parameter StateSelect 's.stateSelect' = StateSelect.prefer;
//   Real 'J2.flange_a.phi'(unit = "rad");
//   Real 'J2.flange_a.tau'(unit = "N.m");
//   Real 'J2.flange_b.phi'(unit = "rad");
//   Real 'J2.flange_b.tau'(unit = "N.m");
//   parameter Real 'J2.J'(unit = "kg.m2", min = 0.0, start = 1.0) = 2.0;
//   parameter StateSelect 'J2.stateSelect' = StateSelect.default;
//   Real 'J2.phi'(unit = "rad", start = 0.0);
//   Real 'J2.w'(unit = "rad/s", start = 0.0);
//   Real 'J2.a'(unit = "rad/s2", start = 0.0);
// equation
//   'J1.phi' = 'J1.flange_a.phi';
//   'J1.phi' = 'J1.flange_b.phi';
//   'J1.w' = der('J1.phi');
//   'J1.a' = der('J1.w');
//   'J1.J'*'J1.a' = 'J1.flange_a.tau' + 'J1.flange_b.tau';
//   's.phi_rel' = 's.flange_b.phi' - 's.flange_a.phi';
//   's.w_rel' = der('s.phi_rel');
//   's.flange_b.tau' = 's.tau';
//   's.flange_a.tau' = -'s.tau';
//   's.tau' = 's.c'*'s.phi_rel' + 's.d'*'s.w_rel';
//   'J2.phi' = 'J2.flange_a.phi';
//   'J2.phi' = 'J2.flange_b.phi';
//   'J2.w' = der('J2.phi');
//   'J2.a' = der('J2.w');
//   'J2.J'*'J2.a' = 'J2.flange_a.tau' + 'J2.flange_b.tau';
//   'J1.flange_b.phi' = 's.flange_a.phi';
//   'J1.flange_b.tau' + 's.flange_a.tau' = 0.0;
//   's.flange_b.phi' = 'J2.flange_a.phi';
//   's.flange_b.tau' + 'J2.flange_a.tau' = 0.0;
//   'J1.flange_a.tau' = 0.0;
//   'J2.flange_b.tau' = 0.0;
// end M;
