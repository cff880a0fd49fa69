model ElasticImpact "A ball on an elastic floor: the contact takes time and loses nothing"
  import Saltus.Translational.*;
  Mass ball(m = 0.1, s(start = 1, fixed = true), v(start = 0, fixed = true));
  ConstantForce weight(f = -0.981);
  ElastoGap ground(c = 1000, d = 0);
  Fixed earth;
equation
  connect(earth.flange, ground.a);
  connect(ground.b, ball.a);
  connect(ball.b, weight.flange);
  annotation(experiment(StopTime = 3));
end ElasticImpact;
