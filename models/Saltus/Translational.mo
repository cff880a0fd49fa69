// SPDX-License-Identifier: MIT
within Saltus;
package Translational "Mechanics along a line"
  connector Flange "Where parts are joined"
    Units.Length s "Position";
    flow Units.Force f "Force on the component";
  end Flange;

  partial model Compliant "Two flanges without mass between them"
    Flange a, b;
    Units.Length s_rel "Distance from a to b";
    Units.Force f "Force that pulls the flanges together";
  equation
    s_rel = b.s - a.s;
    b.f = f;
    a.f = -f;
  end Compliant;

  model Fixed "A wall"
    Flange flange;
    parameter Units.Length s0 = 0 "Its position";
  equation
    flange.s = s0;
  end Fixed;

  model Mass "A rigid body"
    Flange a, b "Both ends; they move together";
    parameter Units.Mass m = 1 "Mass";
    Units.Length s "Position";
    Units.Velocity v "Speed";
  equation
    s = a.s;
    s = b.s;
    v = der(s);
    m * der(v) = a.f + b.f;
  end Mass;

  model Spring "A spring with a linear law"
    extends Compliant;
    parameter Units.TranslationalStiffness c = 1 "Stiffness";
    parameter Units.Length s_rel0 = 0 "Length without force";
  equation
    f = c * (s_rel - s_rel0);
  end Spring;

  model Damper "Force in proportion to the speed"
    extends Compliant;
    parameter Units.TranslationalDamping d = 1 "Damping";
  equation
    f = d * der(s_rel);
  end Damper;

  model SpringDamper "Spring and damper side by side"
    extends Compliant;
    parameter Units.TranslationalStiffness c = 1 "Stiffness";
    parameter Units.TranslationalDamping d = 1 "Damping";
    parameter Units.Length s_rel0 = 0 "Length without force";
  equation
    f = c * (s_rel - s_rel0) + d * der(s_rel);
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
  end ElastoGap;

  model Force "Force given by a signal"
    Flange flange;
    Blocks.RealInput f "Force on what is joined to the flange";
  equation
    flange.f = -f;
  end Force;

  model ConstantForce "Constant force, weight for instance"
    Flange flange;
    parameter Units.Force f = 1 "Force on what is joined to the flange";
  equation
    flange.f = -f;
  end ConstantForce;

  model Position "Motion given by a signal, which must be smooth enough"
    Flange flange;
    Blocks.RealInput s "Position of the flange";
  equation
    flange.s = s;
  end Position;

  model Speed "Motion whose speed is a signal"
    Flange flange(s(start = 0, fixed = true));
    Blocks.RealInput v "Speed of the flange";
  equation
    der(flange.s) = v;
  end Speed;

  model Rolling "A wheel that rolls without slipping"
    Rotational.Flange axle;
    Flange flange;
    parameter Units.Length r = 1 "Radius";
  equation
    flange.s = r * axle.phi;
    axle.tau + r * flange.f = 0;
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
  end Friction;
end Translational;
