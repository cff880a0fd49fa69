package SeriesCircuit "A resonant circuit of components"
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model OnePort
    Pin p, n;
    Real v, i;
  equation
    v = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end OnePort;
  model Resistor
    extends OnePort;
    parameter Real R = 1;
  equation
    v = R * i;
  end Resistor;
  model Capacitor
    extends OnePort;
    parameter Real C = 1;
  equation
    C * der(v) = i;
  end Capacitor;
  model Inductor
    extends OnePort;
    parameter Real L = 1;
  equation
    L * der(i) = v;
  end Inductor;
  model StepVoltage
    extends OnePort;
    parameter Real V = 1;
  equation
    v = V;
  end StepVoltage;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Circuit "Resistor, inductor and capacitor in series at a constant voltage"
    StepVoltage source(V = 1);
    Resistor r(R = 0.5);
    Inductor l(L = 1, i(start = 0, fixed = true));
    Capacitor c(C = 1, v(start = 0, fixed = true));
    Ground ground;
  equation
    connect(source.p, r.p);
    connect(r.n, l.p);
    connect(l.n, c.p);
    connect(c.n, source.n);
    connect(source.n, ground.p);
    annotation(experiment(StopTime = 10));
  end Circuit;
end SeriesCircuit;
