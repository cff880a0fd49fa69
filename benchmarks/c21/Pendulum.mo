package Pendulum "Case study 3 of ARGESIM benchmark C21: rotating pendulum with free flight phase"

  type Angle = Real(unit = "rad");
  type AngularVelocity = Real(unit = "rad/s");
  type Length = Real(unit = "m");
  type Velocity = Real(unit = "m/s");
  type Force = Real(unit = "N");
  constant Real pi = 3.14159265358979323846;

  partial model Body "What all models share"
    inner parameter Real m(unit = "kg") = 1.5;
    inner parameter Real k(unit = "kg/s") = 0.9 "damping";
    inner parameter Length l = 1;
    inner parameter Real g(unit = "m/s2") = 9.81;
    inner parameter Angle phi0 = pi / 4 "from the top";
    inner parameter AngularVelocity omega0 = 15;
    annotation(experiment(StopTime = 10));
  end Body;

  // ---- Hybrid decomposition -----------------------------------------------------

  model Swinging "One degree of freedom, (39)"
    outer parameter Real m, k, g;
    outer parameter Length l;
    outer parameter Angle phi0;
    outer parameter AngularVelocity omega0;
    Angle phi(start = phi0, fixed = true);
    AngularVelocity omega(start = omega0, fixed = true);
    Force F = -m * g * cos(phi) + m * l * omega ^ 2 "of the rope, (41)";
    outer output Length x, y;
  equation
    der(phi) = omega;
    der(omega) = -k / m * omega + g / l * sin(phi);
    x = l * sin(phi);
    y = l * cos(phi);
  end Swinging;

  model Falling "Two degrees of freedom, (42)"
    outer parameter Real m, k, g;
    outer output Length x, y;
    Velocity vx, vy;
  equation
    der(x) = vx;
    der(y) = vy;
    m * der(vx) = -k * vx;
    m * der(vy) = -m * g - k * vy;
  end Falling;

  model Decomposed "Hybrid decomposition: a state machine, two states or four"
    extends Body;
    inner Length x, y;
    Swinging swinging;
    Falling falling;
  equation
    initialState(swinging);
    transition(swinging, falling, swinging.F < 0, reset = false);
    transition(falling, swinging, x ^ 2 + y ^ 2 > l ^ 2, reset = false);
    when activeState(falling) then
      reinit(falling.vx, l * cos(pre(swinging.phi)) * pre(swinging.omega));
      reinit(falling.vy, -l * sin(pre(swinging.phi)) * pre(swinging.omega));
    end when;
    when activeState(swinging) then
      reinit(swinging.phi, mod(atan2(pre(x), pre(y)), 2 * pi));
      reinit(swinging.omega, (pre(y) * pre(falling.vx) - pre(x) * pre(falling.vy)) / l ^ 2);
    end when;
    annotation(experiment(StopTime = 10),
      Diagram(graphics = {
          Ellipse(extent = {{-80, -80}, {80, 80}}, lineColor = {190, 190, 190},
            pattern = LinePattern.Dash),
          Line(points = DynamicSelect({{0, 0}, {57, 57}}, {{0, 0}, {80 * x / l, 80 * y / l}}),
            visible = DynamicSelect(true, not activeState(falling)), thickness = 0.5),
          Line(points = DynamicSelect({{0, 0}, {30, 20}, {57, 57}},
              {{0, 0}, {40 * x / l, 40 * y / l - 80 * sqrt(max(0, 1 - (x ^ 2 + y ^ 2) / l ^ 2))},
                {80 * x / l, 80 * y / l}}),
            visible = DynamicSelect(false, activeState(falling)), smooth = Smooth.Bezier, thickness = 0.5,
            color = {0, 110, 190}),
          Ellipse(extent = {{-3, -3}, {3, 3}}, fillPattern = FillPattern.Solid),
          Ellipse(extent = DynamicSelect({{49, 49}, {65, 65}},
              {{80 * x / l - 8, 80 * y / l - 8}, {80 * x / l + 8, 80 * y / l + 8}}),
            lineColor = {40, 40, 90}, fillPattern = FillPattern.Sphere,
            fillColor = DynamicSelect({150, 160, 220},
              if activeState(falling) then {120, 200, 255} else {150, 160, 220})),
          Text(extent = {{-100, 88}, {100, 98}}, visible = DynamicSelect(true, not activeState(falling)),
            textString = DynamicSelect("F", "F = " + String(swinging.F, format = ".1f") + " N")),
          Text(extent = {{-100, -98}, {100, -88}}, textColor = {0, 110, 190},
            textString = "free flight", visible = DynamicSelect(false, activeState(falling)))}));
  end Decomposed;

  // ---- Maximal state space ------------------------------------------------------

  model MaximalStateSpace "Six states, those of the other phase are frozen"
    extends Body;
    Angle phi(start = phi0, fixed = true);
    AngularVelocity omega(start = omega0, fixed = true);
    Length xF(start = 0, fixed = true), yF(start = 0, fixed = true);
    Velocity vx(start = 0, fixed = true), vy(start = 0, fixed = true);
    Boolean falling(start = false, fixed = true);
    Real c(unit = "kg/s") = k "damping, where the pendulum is";
    Force F = -m * g * cos(phi) + m * l * omega ^ 2;
    Length x = if falling then xF else l * sin(phi);
    Length y = if falling then yF else l * cos(phi);
  equation
    der(phi) = if falling then 0 else omega;
    der(omega) = if falling then 0 else -c / m * omega + g / l * sin(phi);
    der(xF) = if falling then vx else 0;
    der(yF) = if falling then vy else 0;
    m * der(vx) = if falling then -k * vx else 0;
    m * der(vy) = if falling then -m * g - k * vy else 0;
    when F < 0 then // event F
      falling = true;
      reinit(xF, l * sin(pre(phi)));
      reinit(yF, l * cos(pre(phi)));
      reinit(vx, l * cos(pre(phi)) * pre(omega));
      reinit(vy, -l * sin(pre(phi)) * pre(omega));
    elsewhen xF ^ 2 + yF ^ 2 > l ^ 2 then // event S
      falling = false;
      reinit(phi, mod(atan2(pre(xF), pre(yF)), 2 * pi));
      reinit(omega, (pre(yF) * pre(vx) - pre(xF) * pre(vy)) / l ^ 2);
    end when;
    annotation(experiment(StopTime = 10),
      Diagram(graphics = {
          Ellipse(extent = {{-80, -80}, {80, 80}}, lineColor = {190, 190, 190},
            pattern = LinePattern.Dash),
          Line(points = DynamicSelect({{0, 0}, {57, 57}}, {{0, 0}, {80 * x / l, 80 * y / l}}),
            visible = DynamicSelect(true, not falling), thickness = 0.5),
          Line(points = DynamicSelect({{0, 0}, {30, 20}, {57, 57}},
              {{0, 0}, {40 * x / l, 40 * y / l - 80 * sqrt(max(0, 1 - (x ^ 2 + y ^ 2) / l ^ 2))},
                {80 * x / l, 80 * y / l}}),
            visible = DynamicSelect(false, falling), smooth = Smooth.Bezier, thickness = 0.5,
            color = {0, 110, 190}),
          Ellipse(extent = {{-3, -3}, {3, 3}}, fillPattern = FillPattern.Solid),
          Ellipse(extent = DynamicSelect({{49, 49}, {65, 65}},
              {{80 * x / l - 8, 80 * y / l - 8}, {80 * x / l + 8, 80 * y / l + 8}}),
            lineColor = {40, 40, 90}, fillPattern = FillPattern.Sphere,
            fillColor = DynamicSelect({150, 160, 220},
              if falling then {120, 200, 255} else {150, 160, 220})),
          Text(extent = {{-100, 88}, {100, 98}}, visible = DynamicSelect(true, not falling),
            textString = DynamicSelect("F", "F = " + String(F, format = ".1f") + " N")),
          Text(extent = {{-100, -98}, {100, -88}}, textColor = {0, 110, 190},
            textString = "free flight", visible = DynamicSelect(false, falling))}));
  end MaximalStateSpace;

  // ---- One DAE whose constraint comes and goes -----------------------------------

  model Cartesian "Cartesian DAE: index 3 while the rope is taut, an ODE while falling, (47), (48)"
    extends Body;
    Length x(start = l * sin(phi0), fixed = true), y(start = l * cos(phi0));
    Velocity vx(start = l * cos(phi0) * omega0, fixed = true), vy;
    Real lambda(unit = "N/m") "force of the rope per length";
    Boolean taut(start = true, fixed = true);
  equation
    der(x) = vx;
    der(y) = vy;
    m * der(vx) = -k * vx - lambda * x;
    m * der(vy) = -m * g - k * vy - lambda * y;
    if taut then
      x ^ 2 + y ^ 2 = l ^ 2;
    else
      lambda = 0;
    end if;
    taut = if pre(taut) then lambda >= 0 else x ^ 2 + y ^ 2 > l ^ 2;
    annotation(experiment(StopTime = 10),
      Diagram(graphics = {
          Ellipse(extent = {{-80, -80}, {80, 80}}, lineColor = {190, 190, 190},
            pattern = LinePattern.Dash),
          Line(points = DynamicSelect({{0, 0}, {57, 57}}, {{0, 0}, {80 * x / l, 80 * y / l}}),
            visible = DynamicSelect(true, not (not taut)), thickness = 0.5),
          Line(points = DynamicSelect({{0, 0}, {30, 20}, {57, 57}},
              {{0, 0}, {40 * x / l, 40 * y / l - 80 * sqrt(max(0, 1 - (x ^ 2 + y ^ 2) / l ^ 2))},
                {80 * x / l, 80 * y / l}}),
            visible = DynamicSelect(false, (not taut)), smooth = Smooth.Bezier, thickness = 0.5,
            color = {0, 110, 190}),
          Ellipse(extent = {{-3, -3}, {3, 3}}, fillPattern = FillPattern.Solid),
          Ellipse(extent = DynamicSelect({{49, 49}, {65, 65}},
              {{80 * x / l - 8, 80 * y / l - 8}, {80 * x / l + 8, 80 * y / l + 8}}),
            lineColor = {40, 40, 90}, fillPattern = FillPattern.Sphere,
            fillColor = DynamicSelect({150, 160, 220},
              if (not taut) then {120, 200, 255} else {150, 160, 220})),
          Text(extent = {{-100, 88}, {100, 98}}, visible = DynamicSelect(true, not (not taut)),
            textString = DynamicSelect("F", "F = " + String(lambda * l, format = ".1f") + " N")),
          Text(extent = {{-100, -98}, {100, -88}}, textColor = {0, 110, 190},
            textString = "free flight", visible = DynamicSelect(false, (not taut)))}));
  end Cartesian;

  // ---- Experiments ----------------------------------------------------------------

  model Basic "The basic run, with its ends by two criteria"
    extends MaximalStateSpace;
    parameter Angle small = pi / 10 "oscillations below this are small";
    parameter Real weight(unit = "s4") = 10;
    Real criterion = if falling then 1 else sin(phi) ^ 2 + weight * omega ^ 4 - sin(small) ^ 2
      "the forerunner's: it is negative near rest only";
    Boolean turned(start = false, fixed = true) "there was a turning point within `small`";
    Boolean ended(start = false, fixed = true) "the forerunner's criterion was met";
  equation
    when {omega > 0, omega < 0} then
      turned = pre(turned) or (not falling and cos(phi) < -cos(small));
    end when;
    when criterion < 0 then
      ended = true;
    end when;
    annotation(experiment(StopTime = 10));
  end Basic;

  model Kicked "After the turning point the angular velocity is multiplied once, at phi = pi"
    extends Basic;
    parameter Real gamma = 1;
    Boolean right = phi > pi;
    Boolean kicked(start = false, fixed = true);
    discrete Angle fallAngle(start = 0, fixed = true) "where the last fall began";
    discrete AngularVelocity first(start = 0, fixed = true) "at the first passage of phi = pi";
    discrete AngularVelocity last(start = 0, fixed = true) "at the passage before the kick";
  equation
    when pre(turned) and not pre(kicked) and change(right) then
      kicked = true;
      last = pre(omega);
      reinit(omega, gamma * pre(omega));
    end when;
    when right and time < 1 then
      first = pre(omega);
    end when;
    when falling then
      fallAngle = phi;
    end when;
    annotation(experiment(StopTime = 20));
  end Kicked;

  model DampingRegion "A second medium around the bottom, while swinging"
    extends Basic(c = if inside then k2 else k);
    parameter Real k2(unit = "kg/s") = 12.8;
    parameter Angle half = pi / 7 "of the region: from 6 pi/7 to 8 pi/7";
    Boolean inside = cos(phi) < -cos(half);
    annotation(experiment(StopTime = 10));
  end DampingRegion;
end Pendulum;
