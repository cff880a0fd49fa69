package RC "A capacitor that is charged through a resistor"
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;

  partial model TwoPin
    Pin p, n;
    Real v(unit = "V") "Voltage from p to n";
  equation
    v = p.v - n.v;
    p.i + n.i = 0;
  end TwoPin;

  model Resistor
    extends TwoPin;
    parameter Real R(unit = "Ohm") = 1;
  equation
    v = R*p.i;
  end Resistor;

  model Capacitor
    extends TwoPin(v(start = 0, fixed = true));
    parameter Real C(unit = "F") = 1;
  equation
    C*der(v) = p.i;
  end Capacitor;

  model Battery
    extends TwoPin;
    parameter Real V(unit = "V") = 1;
  equation
    v = V;
  end Battery;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Circuit
    Battery battery(V = 5);
    Resistor resistor(R = 100);
    Capacitor capacitor(C = 1e-3);
    Ground ground;
  equation
    connect(battery.p, resistor.p);
    connect(resistor.n, capacitor.p);
    connect(capacitor.n, battery.n);
    connect(battery.n, ground.p);
  end Circuit;
end RC;
