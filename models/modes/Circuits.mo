package Circuits "Circuits with ideal diodes"
  connector Pin
    Real v;
    flow Real i;
  end Pin;

  partial model OnePort
    Pin p, n;
    Real u, i;
  equation
    u = p.v - n.v;
    i = p.i;
    p.i + n.i = 0;
  end OnePort;

  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;

  model Resistor
    extends OnePort;
    parameter Real R = 1;
  equation
    u = R * i;
  end Resistor;

  model Inductor
    extends OnePort(i(start = 0, fixed = true));
    parameter Real L = 1;
  equation
    u = L * der(i);
  end Inductor;

  model Capacitor
    extends OnePort(u(start = 0, fixed = true));
    parameter Real C = 1;
  equation
    i = C * der(u);
  end Capacitor;

  model Source "A sine of time"
    extends OnePort;
    parameter Real amplitude = 1, w = 1, phase = 0;
  equation
    u = amplitude * sin(w * time + phase);
  end Source;

  model Diode "Conducts without voltage, or blocks without current"
    extends OnePort;
    Real s "current if it conducts, voltage if it does not";
    Boolean on = s > 0;
  equation
    if on then
      u = 0;
      i = s;
    else
      u = s;
      i = 0;
    end if;
  end Diode;

  model Rectifier "Half a wave"
    Source source(amplitude = 10, w = 5);
    Diode diode;
    Resistor load(R = 4);
    Ground ground;
  equation
    connect(source.p, diode.p);
    connect(diode.n, load.p);
    connect(load.n, source.n);
    connect(source.n, ground.p);
    annotation(experiment(StopTime = 5));
  end Rectifier;

  model Bridge "Six diodes feed a load from three phases: twenty periods"
    parameter Real amplitude = 325, frequency = 50;
    constant Real pi = 3.14159265358979323846;
    Source a(amplitude = amplitude, w = 2 * pi * frequency, phase = 0.3);
    Source b(amplitude = amplitude, w = 2 * pi * frequency, phase = 0.3 - 2 * pi / 3);
    Source c(amplitude = amplitude, w = 2 * pi * frequency, phase = 0.3 + 2 * pi / 3);
    Diode upper[3](on(start = {false, false, true})), lower[3](on(start = {false, true, false})) "with those that conduct at first";
    Resistor resistor(R = 10);
    Inductor inductor(L = 0.05, i(start = 5));
    Ground ground;
  equation
    connect(a.n, ground.p);
    connect(b.n, ground.p);
    connect(c.n, ground.p);
    connect(a.p, upper[1].p);
    connect(b.p, upper[2].p);
    connect(c.p, upper[3].p);
    connect(a.p, lower[1].n);
    connect(b.p, lower[2].n);
    connect(c.p, lower[3].n);
    for k in 1:3 loop
      connect(upper[k].n, resistor.p);
      connect(lower[k].p, inductor.n);
    end for;
    connect(resistor.n, inductor.p);
    annotation(experiment(StopTime = 0.4));
  end Bridge;

  model Ladder "n cells of diode, resistor and capacitor, one behind the other"
    parameter Integer n = 10;
    Source source(amplitude = 10, w = 6.283185307179586);
    Diode diode[n];
    Resistor series[n](each R = 1), leak[n](each R = 50);
    Capacitor capacitor[n](each C = 0.02);
    Ground ground;
  equation
    connect(source.n, ground.p);
    connect(source.p, diode[1].p);
    for k in 1:n loop
      connect(diode[k].n, series[k].p);
      connect(series[k].n, capacitor[k].p);
      connect(series[k].n, leak[k].p);
      connect(capacitor[k].n, ground.p);
      connect(leak[k].n, ground.p);
    end for;
    for k in 2:n loop
      connect(series[k - 1].n, diode[k].p);
    end for;
    annotation(experiment(StopTime = 5));
  end Ladder;
end Circuits;
