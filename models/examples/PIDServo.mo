model PIDServo "PID controller on a plant of second order"
  import Saltus.Blocks.*;
  Step setpoint;
  Feedback error;
  PID controller(k = 4, Ti = 1.5, Td = 0.3, N = 10);
  SecondOrder plant(k = 1, w = 1, D = 0.7);
equation
  connect(setpoint.y, error.u1);
  connect(plant.y, error.u2);
  connect(error.y, controller.u);
  connect(controller.y, plant.u);
  annotation(experiment(StopTime = 20));
end PIDServo;
