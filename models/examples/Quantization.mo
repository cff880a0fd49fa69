model Quantization "An integrator behind a quantizer: a staircase instead of a line"
  Saltus.Blocks.Ramp ramp(height = 10, duration = 10);
  Saltus.Blocks.Quantizer quantizer(q = 0.5);
  Saltus.Blocks.Integrator integrator;
equation
  connect(ramp.y, quantizer.u);
  connect(quantizer.y, integrator.u);
  annotation(experiment(StopTime = 10));
end Quantization;
