// SPDX-License-Identifier: MIT
within Saltus;
package Thermal "Heat in lumps"
  connector HeatPort "Where heat flows"
    Units.Temperature T "Temperature";
    flow Units.HeatFlow Q "Heat flow into the component";
  end HeatPort;

  partial model TwoPorts "Heat flows through, nothing is stored"
    HeatPort a, b;
    Units.HeatFlow Q "Heat flow from a to b";
    Real dT(unit = "K") "Temperature difference from a to b";
  equation
    dT = a.T - b.T;
    a.Q = Q;
    b.Q = -Q;
  end TwoPorts;

  model HeatCapacitor "A body of one temperature"
    HeatPort port;
    parameter Units.HeatCapacity C = 1 "Heat capacity";
    Units.Temperature T "Its temperature";
  equation
    T = port.T;
    C * der(T) = port.Q;
  end HeatCapacitor;

  model Conductor "Conduction or convection: flow in proportion to the difference"
    extends TwoPorts;
    parameter Units.ThermalConductance G = 1 "Conductance";
  equation
    Q = G * dT;
  end Conductor;

  model Radiation "Radiation between two bodies"
    extends TwoPorts;
    parameter Real Gr(unit = "m2") = 1 "Net radiation conductance, an area";
  protected
    constant Real sigma(unit = "W/(m2.K4)") = 5.670374419e-8 "Stefan-Boltzmann constant";
  equation
    Q = Gr * sigma * (a.T ^ 4 - b.T ^ 4);
  end Radiation;

  model FixedTemperature "Surroundings of a constant temperature"
    HeatPort port;
    parameter Units.Temperature T = 293.15 "Temperature";
  equation
    port.T = T;
  end FixedTemperature;

  model SignalTemperature "Surroundings whose temperature is a signal"
    HeatPort port;
    Blocks.RealInput T "Temperature";
  equation
    port.T = T;
  end SignalTemperature;

  model FixedHeatFlow "Source of a constant heat flow"
    HeatPort port;
    parameter Units.HeatFlow Q = 1 "Heat flow out of the source";
  equation
    port.Q = -Q;
  end FixedHeatFlow;

  model SignalHeatFlow "Source whose heat flow is a signal"
    HeatPort port;
    Blocks.RealInput Q "Heat flow out of the source";
  equation
    port.Q = -Q;
  end SignalHeatFlow;

  model TemperatureSensor "Measures a temperature; no heat flows"
    HeatPort port;
    Blocks.RealOutput T "The temperature";
  equation
    T = port.T;
    port.Q = 0;
  end TemperatureSensor;
end Thermal;
