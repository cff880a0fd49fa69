package Sliding "Conditions that both sides lead to: what slides is found by itself"
  model DoubleIntegrator "A relay brings a mass to rest along the line x + v = 0"
    Real x(start = 1, fixed = true), v(start = 0, fixed = true);
    Real u "between -1 and 1 while it slides";
  equation
    der(x) = v;
    der(v) = u;
    u = if x + v > 0 then -1 else 1;
    annotation(experiment(StopTime = 5));
  end DoubleIntegrator;

  model Belt "A mass on a spring and a moving belt, with Coulomb friction that falls with speed"
    parameter Real m = 1, k = 1;
    parameter Real F = 1 "friction at rest";
    parameter Real c = 0.2 "how it falls";
    parameter Real belt = 0.5 "speed of the belt";
    Real x(start = 0, fixed = true), v(start = 0, fixed = true);
    Real friction;
  equation
    der(x) = v;
    m*der(v) = friction - k*x;
    friction = -sign(v - belt)*(F - c*abs(v - belt));
    annotation(experiment(StopTime = 30));
  end Belt;

  model Thermostat "Heating without hysteresis"
    parameter Real wanted = 20, outside(start = 5) = 5;
    parameter Real P = 30 "of the heater";
    Real T(start = 10, fixed = true) "of the room";
    Real wall(start = 10, fixed = true);
    Boolean on = T < wanted;
  equation
    der(T) = (if on then P else 0) - (T - wall);
    10*der(wall) = (T - wall) - (wall - outside);
    annotation(experiment(StopTime = 60));
  end Thermostat;

  model Quota "Fish are caught only while there are enough of them"
    parameter Real r = 0.5, K = 10, effort = 0.4, quota = 6;
    Real fish(start = 9, fixed = true), caught(start = 0, fixed = true);
    Real rate = if fish > quota then effort*fish else 0;
  equation
    der(fish) = r*fish*(1 - fish/K) - rate;
    der(caught) = rate;
    annotation(experiment(StopTime = 40));
  end Quota;

  model TwoRelays "Two surfaces, one after the other"
    Real x(start = 1, fixed = true), y(start = 2, fixed = true), z(start = 1, fixed = true);
    Real u = sign(x);
  equation
    der(x) = -u + 0.5*y*z;
    der(y) = -sign(y);
    der(z) = -z;
    annotation(experiment(StopTime = 4));
  end TwoRelays;

  model Corner "Two surfaces that are only reached together, around and around"
    Real x(start = 1, fixed = true), y(start = 0.5, fixed = true);
    Real s(start = 0, fixed = true) "how long it has been under way";
  equation
    der(x) = -sign(x) + 2*sign(y);
    der(y) = -2*sign(x) - sign(y);
    der(s) = 1;
    annotation(experiment(StopTime = 4));
  end Corner;
end Sliding;
