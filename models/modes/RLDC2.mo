package RLDC2 "Two branches of resistor and capacitor, two of coil and ideal diode, all parallel"
  // After A. Benveniste, B. Caillaud, M. Malandain: The mathematical foundations of physical
  // systems modeling languages, Annual Reviews in Control 50 (2020). With the diodes the number of
  // states changes: the current of a coil behind a diode that blocks is no state.
  model Diode "Conducts without voltage, or blocks without current"
    input Real v "from anode to cathode";
    Real i;
    Boolean on(start = false, fixed = true);
  equation
    on = if pre(on) then i >= 0 else v > 0;
    if on then
      v = 0;
    else
      i = 0;
    end if;
  end Diode;
  model Circuit "Both capacitors are charged, both diodes block at first"
    parameter Real L1 = 1;
    parameter Real L2 = 3;
    parameter Real C1 = 0.5;
    parameter Real C2 = 0.2;
    parameter Real R1 = 0.3;
    parameter Real R2 = 0.1;
    Real v1(start = 1, fixed = true) "over C1";
    Real v2(start = -2, fixed = true) "over C2";
    Real i1 "through R1 and C1";
    Real i2 "through R2 and C2";
    Real v "over all branches";
    Diode d1(v = v - L1*der(d1.i));
    Diode d2(v = v - L2*der(d2.i));
    Real energy = (L1*d1.i^2 + L2*d2.i^2 + C1*v1^2 + C2*v2^2)/2;
    Real heat(start = 0, fixed = true) "of the resistors";
  equation
    v = R1*i1 + v1;
    v = R2*i2 + v2;
    C1*der(v1) = i1;
    C2*der(v2) = i2;
    i1 + i2 + d1.i + d2.i = 0;
    der(heat) = R1*i1^2 + R2*i2^2;
    annotation(experiment(StopTime = 10));
  end Circuit;
end RLDC2;
