model Woodpecker "The toy: a sleeve that sticks and slips on a pole, and a beak whose impacts act through its contacts"
  // After F. Pfeiffer, C. Glocker: Multibody Dynamics with Unilateral Contacts (1996), without
  // friction at the beak. Both edges of the sleeve stop it plastically, with Coulomb's friction;
  // the beak rebounds. An impact of the beak lasts for some iterations of one event, in which the
  // edges find out whether they stick, slip or let go.
  parameter Real mM = 0.0003, JM = 5e-9 "sleeve";
  parameter Real mS = 0.0045, JS = 7e-7 "woodpecker";
  parameter Real c = 0.0056 "spring between them";
  parameter Real lM = 0.010, lG = 0.015, lS = 0.0201, hM = 0.0058, hS = 0.02;
  parameter Real r0 = 0.0025 "radius of the pole";
  parameter Real rM = 0.0031 "of the sleeve";
  parameter Real mu = 0.3, e = 0.5, g = 9.81;
  parameter Real M[3, 3] = [mS + mM, mS*lM, mS*lG; mS*lM, JM + mS*lM^2, mS*lM*lG;
                            mS*lG, mS*lM*lG, JS + mS*lG^2];
  Real y(start = 0, fixed = true) "height";
  Real pM(start = -0.1034, fixed = true), pS(start = -0.2788, fixed = true) "angles";
  Real vy(start = -0.3411, fixed = true), wM(start = 0, fixed = true), wS(start = -7.4583, fixed = true);
  Real g1 = (lM + lG - lS - r0) - hS*pS "gap at the beak";
  inner Real g2 = (rM - r0) + hM*pM, g3 = (rM - r0) - hM*pM "gaps at the edges of the sleeve";
  inner Real vT = vy + rM*wM "speed along the pole at both edges";
  inner Real N2, T2, N3, T3 "forces at the edges";
  Real N1 "force on the beak, an impulse";
  Boolean hit(start = false, fixed = true), impact(start = false);
  Integer n(start = 0, fixed = true) "iterations to go";
  discrete Real w0(start = 0, fixed = true) "speed before the impact";

  model Open2 outer output Real N2, T2; equation N2 = 0; T2 = 0; end Open2;
  model Stick2 outer output Real N2, T2; outer Real g2, vT; equation g2 = 0; vT = 0; end Stick2;
  model Slip2 parameter Real f; outer output Real N2, T2; outer Real g2; equation g2 = 0; T2 = f*N2; end Slip2;
  model Open3 outer output Real N3, T3; equation N3 = 0; T3 = 0; end Open3;
  model Stick3 outer output Real N3, T3; outer Real g3, vT; equation g3 = 0; vT = 0; end Stick3;
  model Slip3 parameter Real f; outer output Real N3, T3; outer Real g3; equation g3 = 0; T3 = f*N3; end Slip3;
  Open2 open2; Stick2 stick2; Slip2 down2(f = mu), up2(f = -mu);
  Open3 open3; Stick3 stick3; Slip3 down3(f = mu), up3(f = -mu);
equation
  der(y) = vy;
  der(pM) = wM;
  der(pS) = wS;
  M[1, 1]*der(vy) + M[1, 2]*der(wM) + M[1, 3]*der(wS) = -(mS + mM)*g + T2 + T3;
  M[2, 1]*der(vy) + M[2, 2]*der(wM) + M[2, 3]*der(wS)
    = -c*(pM - pS) - mS*g*lM + hM*(N2 - N3) + rM*(T2 + T3);
  M[3, 1]*der(vy) + M[3, 2]*der(wM) + M[3, 3]*der(wS) = -c*(pS - pM) - mS*g*lG - hS*N1;
  // the beak
  hit = g1 < 0;
  n = if edge(hit) then 4 elseif pre(n) > 0 then pre(n) - 1 else 0;
  impact = n > 0;
  when hit then
    w0 = pre(wS);
  end when;
  if impact then
    wS = -e*w0;
  else
    N1 = 0;
  end if;
  // the edges
  initialState(open2);
  transition(open2, stick2, g2 < 0);
  transition(stick2, down2, T2 > mu*N2, priority = 1);
  transition(stick2, up2, T2 < -mu*N2, priority = 2);
  transition(stick2, open2, N2 < 0, priority = 3);
  transition(down2, open2, N2 < 0, priority = 1);
  transition(down2, stick2, vT > 0, priority = 2);
  transition(up2, open2, N2 < 0, priority = 1);
  transition(up2, stick2, vT < 0, priority = 2);
  initialState(open3);
  transition(open3, stick3, g3 < 0);
  transition(stick3, down3, T3 > mu*N3, priority = 1);
  transition(stick3, up3, T3 < -mu*N3, priority = 2);
  transition(stick3, open3, N3 < 0, priority = 3);
  transition(down3, open3, N3 < 0, priority = 1);
  transition(down3, stick3, vT > 0, priority = 2);
  transition(up3, open3, N3 < 0, priority = 1);
  transition(up3, stick3, vT < 0, priority = 2);
  annotation(experiment(StopTime = 0.5, Tolerance = 1e-8));
end Woodpecker;
