// SPDX-License-Identifier: MIT
within Saltus;
package Translational "Mechanics along a line"
  connector Flange "Where parts are joined"
    Units.Length s "Position";
    flow Units.Force f "Force on the component";
    annotation(Icon(graphics = {
        Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {0, 110, 60},
          fillColor = {0, 150, 80}, fillPattern = FillPattern.Solid)}));
  end Flange;

  partial model Compliant "Two flanges without mass between them"
    Flange a
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}}))),
      b
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Units.Length s_rel "Distance from a to b";
    Units.Force f "Force that pulls the flanges together";
  equation
    s_rel = b.s - a.s;
    b.f = f;
    a.f = -f;
  end Compliant;

  model Fixed "A wall"
    Flange flange
      annotation(Placement(transformation(extent = {{-10, -10}, {10, 10}})));
    parameter Units.Length s0 = 0 "Its position";
  equation
    flange.s = s0;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-60, -90}, {-10, 90}}, pattern = LinePattern.None,
          lineColor = {130, 130, 130}, fillColor = {240, 240, 240},
          fillPattern = FillPattern.Backward),
        Line(points = {{-10, -90}, {-10, 90}}, thickness = 0.5),
        Line(points = {{-10, 0}, {0, 0}}),
        Text(extent = {{-150, 105}, {150, 145}}, textString = "%name", textColor = {0, 0, 200})}));
  end Fixed;

  model Mass "A rigid body"
    Flange a "One end"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}}))),
      b "The other end; they move together"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    parameter Units.Mass m = 1 "Mass";
    Units.Length s "Position";
    Units.Velocity v "Speed";
  equation
    s = a.s;
    s = b.s;
    v = der(s);
    m * der(v) = a.f + b.f;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-70, -50}, {70, 50}}, lineColor = {90, 95, 105},
          fillColor = {215, 222, 232}, fillPattern = FillPattern.HorizontalCylinder),
        Line(points = {{-100, 0}, {-70, 0}}),
        Line(points = {{70, 0}, {100, 0}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200}),
        Text(extent = {{-150, -95}, {150, -55}}, textString = "m = %m")}));
  end Mass;

  model Spring "A spring with a linear law"
    extends Compliant;
    parameter Units.TranslationalStiffness c = 1 "Stiffness";
    parameter Units.Length s_rel0 = 0 "Length without force";
  equation
    f = c * (s_rel - s_rel0);
    annotation(Icon(graphics = {
        Line(points = {{-100, 0}, {-60, 0}, {-50, 25}, {-30, -25}, {-10, 25}, {10, -25}, {30, 25},
          {50, -25}, {60, 0}, {100, 0}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200}),
        Text(extent = {{-150, -80}, {150, -40}}, textString = "c = %c")}));
  end Spring;

  model Damper "Force in proportion to the speed"
    extends Compliant;
    parameter Units.TranslationalDamping d = 1 "Damping";
  equation
    f = d * der(s_rel);
    annotation(Icon(graphics = {
        Line(points = {{-100, 0}, {-70, 0}}),
        Line(points = {{-70, 0}, {-10, 0}}),
        Line(points = {{60, -28}, {-30, -28}, {-30, 28}, {60, 28}}),
        Rectangle(extent = {{-10, -28}, {40, 28}}, fillColor = {215, 215, 215},
          fillPattern = FillPattern.Solid),
        Line(points = {{40, 0}, {70, 0}}),
        Line(points = {{70, 0}, {100, 0}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200}),
        Text(extent = {{-150, -80}, {150, -40}}, textString = "d = %d")}));
  end Damper;

  model SpringDamper "Spring and damper side by side"
    extends Compliant;
    parameter Units.TranslationalStiffness c = 1 "Stiffness";
    parameter Units.TranslationalDamping d = 1 "Damping";
    parameter Units.Length s_rel0 = 0 "Length without force";
  equation
    f = c * (s_rel - s_rel0) + d * der(s_rel);
    annotation(Icon(graphics = {
        Line(points = {{-70, 35}, {-50, 35}, {-42, 51}, {-26, 19}, {-10, 51}, {6, 19}, {22, 51},
          {38, 19}, {46, 35}, {70, 35}}),
        Line(points = {{-70, -30}, {-10, -30}}),
        Line(points = {{60, -48}, {-30, -48}, {-30, -12}, {60, -12}}),
        Rectangle(extent = {{-10, -48}, {40, -12}}, fillColor = {215, 215, 215},
          fillPattern = FillPattern.Solid),
        Line(points = {{40, -30}, {70, -30}}),
        Line(points = {{-100, 0}, {-70, 0}, {-70, 35}}),
        Line(points = {{-70, 0}, {-70, -30}}),
        Line(points = {{70, 35}, {70, -30}}),
        Line(points = {{70, 0}, {100, 0}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end SpringDamper;

  model ElastoGap "Spring and damper that push but never pull"
    extends Compliant;
    parameter Units.TranslationalStiffness c = 1 "Stiffness";
    parameter Units.TranslationalDamping d = 1 "Damping";
    parameter Units.Length s_rel0 = 0 "Contact where the distance is less";
    Boolean contact "Whether there is contact";
  protected
    Units.Force pull "Force of spring and damper";
  equation
    pull = c * (s_rel - s_rel0) + d * der(s_rel);
    contact = s_rel < s_rel0 and pull < 0;
    f = if contact then pull else 0;
    annotation(Icon(graphics = {
        Line(points = {{-100, 0}, {-70, 0}}),
        Line(points = {{-70, 0}, {-50, 0}, {-42, 22}, {-26, -22}, {-10, 22}, {6, -22}, {22, 22},
          {38, -22}, {46, 0}, {70, 0}}),
        Line(points = {{62, -30}, {62, 30}}),
        Line(points = {{74, -40}, {74, 40}}, thickness = 0.6, color = DynamicSelect({0, 0, 0},
          if contact then {220, 60, 0} else {0, 0, 0})),
        Line(points = {{74, 0}, {100, 0}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end ElastoGap;

  model Force "Force given by a signal"
    Flange flange
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Blocks.RealInput f "Force on what is joined to the flange"
      annotation(Placement(transformation(extent = {{-120, -10}, {-100, 10}})));
  equation
    flange.f = -f;
    annotation(Icon(graphics = {
        Line(points = {{-80, 0}, {85, 0}}, thickness = 0.8, color = {0, 110, 60},
          arrow = {Arrow.None, Arrow.Filled}, arrowSize = 4),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end Force;

  model ConstantForce "Constant force, weight for instance"
    Flange flange
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    parameter Units.Force f = 1 "Force on what is joined to the flange";
  equation
    flange.f = -f;
    annotation(Icon(graphics = {
        Line(points = {{-80, 0}, {85, 0}}, thickness = 0.8, color = {0, 110, 60},
          arrow = {Arrow.None, Arrow.Filled}, arrowSize = 4),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200}),
        Text(extent = {{-150, -70}, {150, -30}}, textString = "%f")}));
  end ConstantForce;

  model Position "Motion given by a signal, which must be smooth enough"
    Flange flange
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Blocks.RealInput s "Position of the flange"
      annotation(Placement(transformation(extent = {{-120, -10}, {-100, 10}})));
  equation
    flange.s = s;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-90, -25}, {90, 25}}, radius = 25, lineColor = {0, 110, 60},
          fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
        Text(extent = {{-80, -20}, {80, 20}}, textString = "s"),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end Position;

  model Speed "Motion whose speed is a signal"
    Flange flange(s(start = 0, fixed = true))
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Blocks.RealInput v "Speed of the flange"
      annotation(Placement(transformation(extent = {{-120, -10}, {-100, 10}})));
  equation
    der(flange.s) = v;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-90, -25}, {90, 25}}, radius = 25, lineColor = {0, 110, 60},
          fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
        Text(extent = {{-80, -20}, {80, 20}}, textString = "v"),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end Speed;

  model Rolling "A wheel that rolls without slipping"
    Rotational.Flange axle
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Flange flange
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    parameter Units.Length r = 1 "Radius";
  equation
    flange.s = r * axle.phi;
    axle.tau + r * flange.f = 0;
    annotation(Icon(graphics = {
        Ellipse(extent = {{-50, -50}, {50, 50}}, fillColor = {215, 215, 215},
          fillPattern = FillPattern.Solid),
        Line(points = {{-90, -50}, {100, -50}}),
        Line(points = {{0, 0}, {35, 35}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end Rolling;

  model Friction "Coulomb friction with stiction between two flanges"
    extends Compliant;
    parameter Units.Force fc = 1 "Friction force while sliding";
    parameter Units.Force fs = fc "Largest force while stuck";
    parameter Units.TranslationalDamping d = 0 "Viscous friction";
    Units.Velocity v "Relative speed";
    Units.Acceleration a_rel "Relative acceleration";
    Integer mode(start = 0, fixed = true) "1 slides forward, -1 backward, 0 stuck";
  protected
    constant Units.Mass m1 = 1;
    Units.Force s "Force while stuck, else acceleration with an offset: a curve of three lines";
    Boolean forward(start = false, fixed = true) "Begins to slide forward";
    Boolean backward(start = false, fixed = true) "Begins to slide backward";
    Boolean stuck;
  equation
    v = der(s_rel);
    a_rel = der(v);
    forward = pre(mode) == 0 and (s > fs or pre(forward) and s > fc);
    backward = pre(mode) == 0 and (s < -fs or pre(backward) and s < -fc);
    stuck = pre(mode) == 0 and not forward and not backward;
    m1 * a_rel = if stuck then 0 elseif pre(mode) == 1 or forward then s - fc else s + fc;
    f = if stuck then s elseif pre(mode) == 1 or forward then fc + d * v else -fc + d * v;
    mode = if (pre(mode) == 1 or forward) and v > 0 then 1
           elseif (pre(mode) == -1 or backward) and v < 0 then -1 else 0;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-70, 0}, {30, 30}}, fillPattern = FillPattern.Solid,
          fillColor = DynamicSelect({235, 235, 235},
          if mode == 0 then {255, 200, 80} else {235, 235, 235})),
        Rectangle(extent = {{-30, -30}, {70, 0}}, fillPattern = FillPattern.Solid,
          fillColor = DynamicSelect({235, 235, 235},
          if mode == 0 then {255, 200, 80} else {235, 235, 235})),
        Line(points = {{-100, 0}, {-100, 15}, {-70, 15}}),
        Line(points = {{100, 0}, {100, -15}, {70, -15}}),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end Friction;
end Translational;
