package Worlds "Balls that take their gravity from the world around them: inner and outer"
  model World "What all balls of a world share"
    parameter Real g = 9.81;
  end World;
  model Ball
    outer World world;
    Real h(start = 10, fixed = true), v(start = 0, fixed = true);
  equation
    der(h) = v;
    der(v) = -world.g;
    when h <= 0 then
      reinit(v, -0.5 * pre(v));
    end when;
  end Ball;
  model Place
    inner World world;
    Ball ball;
  end Place;
  model Both "The same ball on the Earth and on the Moon"
    Place earth, moon(world(g = 1.62));
    annotation(experiment(StopTime = 2));
  end Both;
end Worlds;
