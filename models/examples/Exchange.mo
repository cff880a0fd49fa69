package Exchange "A control loop whose controller is exchanged: replaceable and redeclare"
  import Saltus.Blocks.*;
  model Loop
    replaceable Gain controller(k = 3) constrainedby Single;
    FirstOrder plant(T = 2);
    Feedback error;
    Step setpoint;
  equation
    connect(setpoint.y, error.u1);
    connect(plant.y, error.u2);
    connect(error.y, controller.u);
    connect(controller.y, plant.u);
  end Loop;
  model Compare "A proportional controller leaves an error, with an integral part it does not"
    Loop p;
    Loop pi(redeclare PI controller(k = 3, T = 2));
    annotation(experiment(StopTime = 10));
  end Compare;
end Exchange;
