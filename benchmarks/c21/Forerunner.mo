package Forerunner "The electrical circuit of the forerunner of C21, after the class-E amplifier"

  type Voltage = Real(unit = "V");
  type Current = Real(unit = "A");
  type Resistance = Real(unit = "Ohm");
  constant Real pi = 3.14159265358979323846;

  partial model Circuit "Source, R1 and L in series, then R2 and C; across these what S1, S2 close"
    parameter Resistance R1 = 1e3, R2 = 1e3;
    parameter Real f(unit = "Hz") = 1e6;
    parameter Real q = 40 "quality";
    parameter Voltage U = 15;
    parameter Real L(unit = "H") = q * (R1 + R2) / (2 * pi * f);
    parameter Real C(unit = "F") = 1 / ((2 * pi * f) ^ 2 * L);
    Current i(start = 0, fixed = true, nominal = 1e-3) "of the source";
    Voltage u_C(start = 0, fixed = true);
    Voltage u "across R2 and C, and across what is parallel to them";
    Current j(nominal = 1e-3) "through R2 and C";
    Current bypass(nominal = 1e-3) "through what is parallel";
  equation
    L * der(i) = U * sin(2 * pi * f * time) - R1 * i - u;
    C * der(u_C) = j;
    u = R2 * j + u_C;
    i = j + bypass;
    annotation(experiment(StopTime = 10e-6));
  end Circuit;

  model Open "S1 and S2 open"
    extends Circuit;
  equation
    bypass = 0;
  end Open;

  model Constant "A constant resistance instead of S1"
    extends Circuit;
    parameter Resistance R = 1e8;
  equation
    u = R * bypass;
  end Constant;

  // ---- S1: a resistance that depends on time -----------------------------------------

  partial model Ramp "Off until t1, falling to t2, on until t3, rising to t4"
    parameter Real t1(unit = "s") = 0.2e-6, t3(unit = "s") = 0.45e-6 "begin of the ramps";
    parameter Real slew(unit = "s") = 50e-9 "their duration; 0: jumps";
    parameter Boolean isRepeated = false "every period anew; otherwise once";
    parameter Real period(unit = "s") = 1e-6;
    parameter Resistance Roff = 1e8, Ron = 1e-4;
    Resistance R;
  end Ramp;

  model TimeResistor "With time events at the corners (SE-I)"
    extends Circuit;
    extends Ramp;
    discrete Real begin(unit = "s", start = 0, fixed = true) "of the period";
  equation
    when sample(period, period) then
      begin = if isRepeated then time else pre(begin);
    end when;
    R = if time < begin + t1 then Roff
        else if time < begin + t1 + slew then Roff + (Ron - Roff) * (time - begin - t1) / max(slew, 1e-30)
        else if time < begin + t3 then Ron
        else if time < begin + t3 + slew then Ron + (Roff - Ron) * (time - begin - t3) / max(slew, 1e-30)
        else Roff;
    u = R * bypass;
    annotation(experiment(StopTime = 10e-6));
  end TimeResistor;

  model UnsynchronisedResistor "Without events: the solver does not know of the corners"
    extends Circuit;
    extends Ramp;
    Real t(unit = "s") = if isRepeated then noEvent(mod(time, period)) else time;
  equation
    R = noEvent(
      if t < t1 then Roff
      else if t < t1 + slew then Roff + (Ron - Roff) * (t - t1) / max(slew, 1e-30)
      else if t < t3 then Ron
      else if t < t3 + slew then Ron + (Roff - Ron) * (t - t3) / max(slew, 1e-30)
      else Roff);
    u = R * bypass;
    annotation(experiment(StopTime = 10e-6));
  end UnsynchronisedResistor;

  // ---- S2: a diode in series with Rmin ---------------------------------------------------

  model SwitchDiode "Ideal, from a threshold on, with limited current"
    extends Circuit;
    parameter Resistance Rmin = 1e-3;
    parameter Voltage U_D = 0 "threshold";
    parameter Current I_0 = 1e6 "limit";
    Boolean conducting = u > U_D;
    Boolean limited = Rmin * I_0 < u - U_D;
  equation
    if conducting then
      u = U_D + Rmin * bypass;
    else
      bypass = 0;
    end if;
    assert(not limited, "the current of the diode reaches its limit");
    annotation(experiment(StopTime = 10e-6));
  end SwitchDiode;

  model ShockleyDiode "Exponential, with limited current where asked for"
    extends Circuit;
    parameter Resistance Rmin = 1e-3;
    parameter Current I_S = 1e-12;
    parameter Voltage U_T = 25e-3;
    parameter Current I_0 = 1e6 "limit";
    Voltage u_D(nominal = 0.1);
  equation
    u = u_D + Rmin * bypass;
    bypass = if u > 0 then noEvent(min(I_S * (exp(u_D / U_T) - 1), I_0)) else 0;
    annotation(experiment(StopTime = 10e-6));
  end ShockleyDiode;

  model Hybrid "The time-dependent resistor beside the threshold diode, Rmin = 0"
    extends Circuit;
    extends Ramp;
    parameter Voltage U_D = 0.7;
    discrete Real begin(unit = "s", start = 0, fixed = true);
    Current i_R(nominal = 1e-3), i_D(nominal = 1e-3);
    Boolean conducting(start = false, fixed = true);
  equation
    when sample(period, period) then
      begin = if isRepeated then time else pre(begin);
    end when;
    R = if time < begin + t1 then Roff
        else if time < begin + t1 + slew then Roff + (Ron - Roff) * (time - begin - t1) / max(slew, 1e-30)
        else if time < begin + t3 then Ron
        else if time < begin + t3 + slew then Ron + (Roff - Ron) * (time - begin - t3) / max(slew, 1e-30)
        else Roff;
    u = R * i_R;
    bypass = i_R + i_D;
    if conducting then
      u = U_D;
    else
      i_D = 0;
    end if;
    conducting = if pre(conducting) then i_D > 0 else u > U_D;
    annotation(experiment(StopTime = 10e-6));
  end Hybrid;
end Forerunner;
