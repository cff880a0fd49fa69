// SPDX-License-Identifier: MIT
within Saltus;
package Blocks "Signals: sources, linear systems, switching and sampled blocks"
  connector RealInput = input Real "Signal that comes in"
    annotation(Icon(graphics = {
        Polygon(points = {{-100, 100}, {100, 0}, {-100, -100}}, lineColor = {0, 0, 127},
          fillColor = {0, 0, 127}, fillPattern = FillPattern.Solid)}));
  connector RealOutput = output Real "Signal that goes out"
    annotation(Icon(graphics = {
        Polygon(points = {{-100, 100}, {100, 0}, {-100, -100}}, lineColor = {0, 0, 127},
          fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid)}));
  connector BooleanInput = input Boolean "Truth value that comes in"
    annotation(Icon(graphics = {
        Polygon(points = {{-100, 100}, {100, 0}, {-100, -100}}, lineColor = {200, 0, 200},
          fillColor = {200, 0, 200}, fillPattern = FillPattern.Solid)}));
  connector BooleanOutput = output Boolean "Truth value that goes out"
    annotation(Icon(graphics = {
        Polygon(points = {{-100, 100}, {100, 0}, {-100, -100}}, lineColor = {200, 0, 200},
          fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid)}));

  partial block Source "One output"
    RealOutput y
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
    annotation(Icon(graphics = {
        Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {0, 0, 127},
          fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
        Text(extent = {{-90, -30}, {90, 30}}, textString = "%class"),
        Text(extent = {{-150, 105}, {150, 145}}, textString = "%name", textColor = {0, 0, 200})}));
  end Source;

  partial block Single "One input, one output"
    RealInput u
      annotation(Placement(transformation(extent = {{-120, -10}, {-100, 10}})));
    RealOutput y
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
    annotation(Icon(graphics = {
        Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {0, 0, 127},
          fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
        Text(extent = {{-90, -30}, {90, 30}}, textString = "%class"),
        Text(extent = {{-150, 105}, {150, 145}}, textString = "%name", textColor = {0, 0, 200})}));
  end Single;

  partial block Double "Two inputs, one output"
    RealInput u1
      annotation(Placement(transformation(extent = {{-120, 50}, {-100, 70}}))),
      u2
      annotation(Placement(transformation(extent = {{-120, -70}, {-100, -50}})));
    RealOutput y
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
    annotation(Icon(graphics = {
        Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {0, 0, 127},
          fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
        Text(extent = {{-90, -30}, {90, 30}}, textString = "%class"),
        Text(extent = {{-150, 105}, {150, 145}}, textString = "%name", textColor = {0, 0, 200})}));
  end Double;

  // ---- sources ----------------------------------------------------------------------------------

  block Constant "Always the same value"
    extends Source;
    parameter Real k = 1 "Value";
  equation
    y = k;
  end Constant;

  block Step "One value before an instant, another from then on"
    extends Source;
    parameter Real height = 1 "Size of the step";
    parameter Real offset = 0 "Value before";
    parameter Units.Time startTime = 0 "Instant of the step";
  equation
    y = offset + (if time < startTime then 0 else height);
  end Step;

  block Ramp "A straight line between two levels"
    extends Source;
    parameter Real height = 1 "Rise";
    parameter Units.Time duration(min = 0) = 1 "Time the rise takes";
    parameter Real offset = 0 "Value before";
    parameter Units.Time startTime = 0 "Beginning of the rise";
  equation
    y = offset + (if time < startTime then 0
                  elseif time < startTime + duration then height * (time - startTime) / duration
                  else height);
  end Ramp;

  block Sine "A sine wave"
    extends Source;
    parameter Real amplitude = 1 "Largest deviation from the offset";
    parameter Units.Frequency f = 1 "Periods per second";
    parameter Units.Angle phase = 0 "Phase at the start time";
    parameter Real offset = 0 "Mean value";
    parameter Units.Time startTime = 0 "Before it, the output is the offset";
  protected
    constant Real pi = 3.14159265358979323846;
  equation
    y = offset + (if time < startTime then 0
                  else amplitude * sin(2 * pi * f * (time - startTime) + phase));
  end Sine;

  block Pulse "Rectangles, again and again"
    extends Source;
    parameter Real amplitude = 1 "Height of the rectangles";
    parameter Real width(min = 0, max = 1) = 0.5 "Share of the period that is high";
    parameter Units.Time period = 1 "Time from one rise to the next";
    parameter Real offset = 0 "Value between the rectangles";
    parameter Units.Time startTime = 0 "First rise";
  protected
    discrete Units.Time rise(start = -1e300, fixed = true) "Time of the last rise";
  equation
    when sample(startTime, period) then
      rise = time;
    end when;
    y = offset + (if time >= startTime and time < rise + width * period then amplitude else 0);
  end Pulse;

  block Noise "Random numbers of a normal distribution; the same seed gives the same numbers"
    extends Source;
    parameter Real mean = 0 "Mean value";
    parameter Real deviation(min = 0) = 1 "Standard deviation";
    parameter Units.Time period = 0.1 "Time from one number to the next, between which it is kept";
    parameter Integer seed(min = 0) = 1 "Another one: other numbers";
    parameter Units.Time startTime = 0 "First number";
    // S. K. Park and K. W. Miller: Random number generators: good ones are hard to find,
    // Communications of the ACM 31, 1988, with the factor 48271; then Box and Muller (1958).
  protected
    constant Integer m = 2147483647;
    Integer i(start = 0, fixed = true), k(start = 1 + mod(1013904223 + 1664525 * seed, m - 1), fixed = true);
    discrete Real number(start = mean, fixed = true);
  equation
    when sample(startTime, period) then
      i = mod(48271 * pre(k), m);
      k = mod(48271 * i, m);
      number = mean + deviation * sqrt(-2 * log(i / m)) * cos(4 * asin(1.0) * k / m);
    end when;
    y = number;
  end Noise;

  // ---- arithmetic -------------------------------------------------------------------------------

  block Gain "The input times a factor"
    extends Single;
    parameter Real k = 1 "Factor";
  equation
    y = k * u;
  end Gain;

  block Add "The sum of two inputs, each with its factor"
    extends Double;
    parameter Real k1 = 1 "Factor of the first";
    parameter Real k2 = 1 "Factor of the second";
  equation
    y = k1 * u1 + k2 * u2;
  end Add;

  block Feedback "The difference of two inputs"
    extends Double;
  equation
    y = u1 - u2;
  end Feedback;

  block Product "The product of two inputs"
    extends Double;
  equation
    y = u1 * u2;
  end Product;

  block Sum "The sum of any number of inputs, each with its factor"
    parameter Integer n(min = 1) = 1 "Number of inputs";
    parameter Real k[n] = ones(n) "Factors";
    RealInput u[n]
      annotation(Placement(transformation(extent = {{-120, -10}, {-100, 10}})));
    RealOutput y
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
  equation
    y = k * u;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {0, 0, 127},
          fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
        Line(points = {{45, 60}, {-45, 60}, {10, 0}, {-45, -60}, {45, -60}}, thickness = 0.5),
        Text(extent = {{-150, 105}, {150, 145}}, textString = "%name", textColor = {0, 0, 200})}));
  end Sum;

  // ---- linear systems ---------------------------------------------------------------------------

  block Integrator "Output is the integral of the input"
    extends Single(y(start = y_start, fixed = true));
    parameter Real k = 1 "Factor";
    parameter Real y_start = 0 "Output at the beginning";
  equation
    der(y) = k * u;
  end Integrator;

  block FirstOrder "First order lag: T y' + y = k u"
    extends Single(y(start = y_start, fixed = true));
    parameter Real k = 1 "Gain";
    parameter Units.Time T = 1 "Time constant";
    parameter Real y_start = 0 "Output at the beginning";
  equation
    T * der(y) = k * u - y;
  end FirstOrder;

  block SecondOrder "Second order: y''/w^2 + 2 D y'/w + y = k u"
    extends Single(y(start = y_start, fixed = true));
    parameter Real k = 1 "Gain";
    parameter Units.AngularVelocity w = 1 "Undamped angular frequency";
    parameter Real D = 1 "Damping ratio";
    parameter Real y_start = 0 "Output at the beginning";
    Real yd(start = 0, fixed = true) "Derivative of the output";
  equation
    der(y) = yd;
    der(yd) = w * (w * (k * u - y) - 2 * D * yd);
  end SecondOrder;

  block Derivative "Derivative with a lag: T y' + y = k u'"
    extends Single;
    parameter Real k = 1 "Gain";
    parameter Units.Time T(min = 0) = 0.01 "Time constant of the lag";
    parameter Real x_start = 0 "Input before the beginning";
    Real x(start = x_start, fixed = true) "The input behind the lag";
  equation
    T * der(x) = u - x;
    y = k * (u - x) / T;
  end Derivative;

  block PI "Proportional and integral: k (u + integral of u / T)"
    extends Single;
    parameter Real k = 1 "Gain";
    parameter Units.Time T = 1 "Integral time";
    parameter Real x_start = 0 "Integral at the beginning";
    Real x(start = x_start, fixed = true) "The integral over T";
  equation
    T * der(x) = u;
    y = k * (u + x);
  end PI;

  block PID "Proportional, integral, and derivative with a lag"
    extends Single;
    parameter Real k = 1 "Gain";
    parameter Units.Time Ti = 1 "Integral time";
    parameter Units.Time Td = 0.1 "Derivative time";
    parameter Real N = 10 "The lag of the derivative is Td / N";
    Integrator I(k = 1 / Ti) "Integral part";
    Derivative D(k = Td, T = Td / N) "Derivative part";
  equation
    connect(u, I.u);
    connect(u, D.u);
    y = k * (u + I.y + D.y);
  end PID;

  // ---- limits and switching ---------------------------------------------------------------------

  block Limiter "Keeps the signal between two values"
    extends Single;
    parameter Real uMax = 1 "Upper limit";
    parameter Real uMin = -uMax "Lower limit";
  equation
    y = smooth(0, if u > uMax then uMax elseif u < uMin then uMin else u);
  end Limiter;

  block DeadZone "Zero between two values, the excess outside"
    extends Single;
    parameter Real uMax = 1 "Upper end of the zone";
    parameter Real uMin = -uMax "Lower end of the zone";
  equation
    y = smooth(0, if u > uMax then u - uMax elseif u < uMin then u - uMin else 0);
  end DeadZone;

  block Quantizer "Rounds to multiples of a quantum"
    extends Single;
    parameter Real q = 1 "Quantum";
  equation
    y = q * floor(u / q + 0.5);
  end Quantizer;

  block Hysteresis "True above one value, false below a smaller one"
    RealInput u
      annotation(Placement(transformation(extent = {{-120, -10}, {-100, 10}})));
    BooleanOutput y(start = y_start, fixed = true)
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
    parameter Real uLow = 0 "False below";
    parameter Real uHigh = 1 "True above";
    parameter Boolean y_start = false "Value before the beginning, if the input is between";
  equation
    y = u > uHigh or pre(y) and u >= uLow;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {0, 0, 127},
          fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
        Line(points = {{-70, -50}, {35, -50}, {35, 50}, {70, 50}}, thickness = 0.5),
        Line(points = {{-35, -50}, {-35, 50}, {35, 50}}, thickness = 0.5),
        Text(extent = {{-150, 105}, {150, 145}}, textString = "%name", textColor = {0, 0, 200})}));
  end Hysteresis;

  block Relay "Switches between two values, with hysteresis"
    extends Single;
    parameter Real uLow = -0.5 "Off below";
    parameter Real uHigh = 0.5 "On above";
    parameter Real yOff = -1 "Output while off";
    parameter Real yOn = 1 "Output while on";
    parameter Boolean on_start = false "Whether it is on at the beginning";
    Hysteresis hysteresis(uLow = uLow, uHigh = uHigh, y_start = on_start);
  equation
    connect(u, hysteresis.u);
    y = if hysteresis.y then yOn else yOff;
  end Relay;

  block Selector "One of two inputs, as a third says"
    extends Double;
    BooleanInput first "Whether it is the first";
  equation
    y = if first then u1 else u2;
  end Selector;

  block GreaterThreshold "Whether the input is above a value"
    RealInput u
      annotation(Placement(transformation(extent = {{-120, -10}, {-100, 10}})));
    BooleanOutput y
      annotation(Placement(transformation(extent = {{100, -10}, {120, 10}})));
    parameter Real threshold = 0 "The value";
  equation
    y = u > threshold;
    annotation(Icon(graphics = {
        Rectangle(extent = {{-100, -100}, {100, 100}}, lineColor = {0, 0, 127},
          fillColor = {255, 255, 255}, fillPattern = FillPattern.Solid),
        Text(extent = {{-90, -5}, {90, 65}}, textString = ">"),
        Text(extent = {{-90, -65}, {90, -15}}, textString = "%threshold"),
        Text(extent = {{-150, 105}, {150, 145}}, textString = "%name", textColor = {0, 0, 200})}));
  end GreaterThreshold;

  // ---- sampled ----------------------------------------------------------------------------------

  partial block Sampled "What sampled blocks share"
    extends Single;
    parameter Units.Time period = 0.1 "Time between two samples";
    parameter Units.Time startTime = 0 "First sample";
  end Sampled;

  block Sampler "Takes the input at the instants, keeps it between them"
    extends Sampled;
  protected
    discrete Real held(start = 0, fixed = true);
  equation
    when sample(startTime, period) then
      held = u;
    end when;
    y = held;
  end Sampler;

  block ZeroOrderHold "As a sampler, but the new value acts just after the instant: it cuts loops"
    extends Sampled;
    parameter Real y_start = 0 "Output before the first sample";
  protected
    discrete Real held(start = y_start, fixed = true);
  equation
    when sample(startTime, period) then
      held = u;
    end when;
    y = pre(held);
  end ZeroOrderHold;

  block UnitDelay "The sample before the last"
    extends Sampled;
    parameter Real y_start = 0 "Output until the second sample";
  protected
    discrete Real held(start = y_start, fixed = true);
    discrete Real out(start = y_start, fixed = true);
  equation
    when sample(startTime, period) then
      held = u;
      out = pre(held);
    end when;
    y = out;
  end UnitDelay;

  block SampledPI "PI controller that acts at the instants: k (u + sum of u period / T)"
    extends Sampled;
    parameter Real k = 1 "Gain";
    parameter Units.Time T = 1 "Integral time";
    discrete Real x(start = 0, fixed = true) "The sum";
  protected
    discrete Real out(start = 0, fixed = true);
  equation
    when sample(startTime, period) then
      x = pre(x) + u * period / T;
      out = k * (u + x);
    end when;
    y = out;
  end SampledPI;
end Blocks;
