// SPDX-License-Identifier: MIT
within Saltus;
package Thermal "Heat in lumps"
  connector HeatPort "Where heat flows"
    Units.Temperature T "Temperature";
    flow Units.HeatFlow Q "Heat flow into the component";
    annotation(Icon(graphics = {
        Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {190, 0, 0},
          fillColor = {190, 0, 0}, fillPattern = FillPattern.Solid)}));
  end HeatPort;

  partial model TwoPorts "Heat flows through, nothing is stored"
    HeatPort a
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}}))),
      b
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Units.HeatFlow Q "Heat flow from a to b";
    Real dT(unit = "K") "Temperature difference from a to b";
  equation
    dT = a.T - b.T;
    a.Q = Q;
    b.Q = -Q;
  end TwoPorts;

  model HeatCapacitor "A body of one temperature"
    HeatPort port
      annotation(Placement(transformation(extent = {{-10, -110}, {10, -90}})));
    parameter Units.HeatCapacity C = 1 "Heat capacity";
    Units.Temperature T "Its temperature";
  equation
    T = port.T;
    C * der(T) = port.Q;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-60, -80}, {60, 60}}, radius = 30, lineColor = {190, 0, 0},
          fillColor = {250, 220, 210}, fillPattern = FillPattern.Solid),
        Text(extent = {{-55, -10}, {55, 25}}, textString = "%C"),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end HeatCapacitor;

  model Conductor "Conduction or convection: flow in proportion to the difference"
    extends TwoPorts;
    parameter Units.ThermalConductance G = 1 "Conductance";
  equation
    Q = G * dT;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-90, -50}, {90, 50}}, lineColor = {190, 0, 0},
          fillColor = {225, 225, 225}, fillPattern = FillPattern.Backward),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200}),
        Text(extent = {{-150, -95}, {150, -55}}, textString = "G = %G")}));
  end Conductor;

  model Radiation "Radiation between two bodies"
    extends TwoPorts;
    parameter Real Gr(unit = "m2") = 1 "Net radiation conductance, an area";
  protected
    constant Real sigma(unit = "W/(m2.K4)") = 5.670374419e-8 "Stefan-Boltzmann constant";
  equation
    Q = Gr * sigma * (a.T ^ 4 - b.T ^ 4);
    annotation(Icon(graphics = {
        Rectangle(extent = {{-90, -50}, {-60, 50}}, fillColor = {215, 215, 215},
          fillPattern = FillPattern.Solid),
        Rectangle(extent = {{60, -50}, {90, 50}}, fillColor = {215, 215, 215},
          fillPattern = FillPattern.Solid),
        Line(points = {{-50, -25}, {50, -25}}, color = {190, 0, 0},
          arrow = {Arrow.None, Arrow.Open}, arrowSize = 2),
        Line(points = {{-50, 0}, {50, 0}}, color = {190, 0, 0}, arrow = {Arrow.None, Arrow.Open},
          arrowSize = 2),
        Line(points = {{-50, 25}, {50, 25}}, color = {190, 0, 0}, arrow = {Arrow.None, Arrow.Open},
          arrowSize = 2),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200})}));
  end Radiation;

  model FixedTemperature "Surroundings of a constant temperature"
    HeatPort port
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    parameter Units.Temperature T = 293.15 "Temperature";
  equation
    port.T = T;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-90, -70}, {60, 70}}, lineColor = {190, 0, 0},
          fillColor = {250, 230, 220}, fillPattern = FillPattern.Solid),
        Text(extent = {{-85, -20}, {55, 20}}, textString = "%T"),
        Line(points = {{60, 0}, {100, 0}}, color = {190, 0, 0}),
        Text(extent = {{-150, 75}, {150, 115}}, textString = "%name", textColor = {0, 0, 200})}));
  end FixedTemperature;

  model SignalTemperature "Surroundings whose temperature is a signal"
    HeatPort port
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Blocks.RealInput T "Temperature"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  equation
    port.T = T;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-90, -70}, {60, 70}}, lineColor = {190, 0, 0},
          fillColor = {250, 230, 220}, fillPattern = FillPattern.Solid),
        Text(extent = {{-85, -30}, {55, 30}}, textString = "T"),
        Line(points = {{60, 0}, {100, 0}}, color = {190, 0, 0}),
        Text(extent = {{-150, 75}, {150, 115}}, textString = "%name", textColor = {0, 0, 200})}));
  end SignalTemperature;

  model FixedHeatFlow "Source of a constant heat flow"
    HeatPort port
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    parameter Units.HeatFlow Q = 1 "Heat flow out of the source";
  equation
    port.Q = -Q;
    annotation(Icon(graphics = {
        Line(points = {{-80, 0}, {85, 0}}, thickness = 0.8, color = {190, 0, 0},
          arrow = {Arrow.None, Arrow.Filled}, arrowSize = 4),
        Text(extent = {{-150, 70}, {150, 110}}, textString = "%name", textColor = {0, 0, 200}),
        Text(extent = {{-150, -65}, {150, -25}}, textString = "%Q")}));
  end FixedHeatFlow;

  model SignalHeatFlow "Source whose heat flow is a signal"
    HeatPort port
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
    Blocks.RealInput Q "Heat flow out of the source"
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
  equation
    port.Q = -Q;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-90, -70}, {60, 70}}, lineColor = {190, 0, 0},
          fillColor = {250, 230, 220}, fillPattern = FillPattern.Solid),
        Text(extent = {{-85, -30}, {55, 30}}, textString = "Q"),
        Line(points = {{60, 0}, {100, 0}}, color = {190, 0, 0}),
        Text(extent = {{-150, 75}, {150, 115}}, textString = "%name", textColor = {0, 0, 200})}));
  end SignalHeatFlow;

  model TemperatureSensor "Measures a temperature; no heat flows"
    HeatPort port
      annotation(Placement(transformation(extent = {{-110, -10}, {-90, 10}})));
    Blocks.RealOutput T "The temperature"
      annotation(Placement(transformation(extent = {{90, -10}, {110, 10}})));
  equation
    T = port.T;
    port.Q = 0;
    annotation(Icon(graphics = {
        Ellipse(extent = {{-60, -60}, {60, 60}}, lineColor = {190, 0, 0},
          fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
        Text(extent = {{-50, -30}, {50, 30}}, textString = "T"),
        Line(points = {{-100, 0}, {-60, 0}}, color = {190, 0, 0}),
        Line(points = {{60, 0}, {100, 0}}, color = {0, 0, 127}),
        Text(extent = {{-150, 75}, {150, 115}}, textString = "%name", textColor = {0, 0, 200})}));
  end TemperatureSensor;
end Thermal;
