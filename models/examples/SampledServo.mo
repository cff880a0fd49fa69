model SampledServo "A digital PI controller of blocks: sampler, controller, hold, lag"
  import Saltus.Blocks.*;
  Step setpoint(height = 2);
  Feedback error;
  SampledPI controller(k = 0.8, T = 0.5, period = 0.2);
  ZeroOrderHold hold(period = 0.2);
  FirstOrder plant(T = 1);
equation
  connect(setpoint.y, error.u1);
  connect(plant.y, error.u2);
  connect(error.y, controller.u);
  connect(controller.y, hold.u);
  connect(hold.y, plant.u);
  annotation(experiment(StopTime = 10));
end SampledServo;
