package Phasor "Complex numbers as records: what a circuit does in the long run"
  record Complex "re + j im"
    Real re, im;
  end Complex;
  function multiply
    input Complex a, b;
    output Complex c;
  algorithm
    c := Complex(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
  end multiply;
  function invert
    input Complex a;
    output Complex c;
  algorithm
    c := Complex(a.re / (a.re ^ 2 + a.im ^ 2), -a.im / (a.re ^ 2 + a.im ^ 2));
  end invert;
  model Circuit "Coil, resistor and capacitor at a sine: the transient dies, the phasor stays"
    parameter Real R = 2, L = 0.5, C = 0.2, w = 3;
    parameter Complex I = multiply(Complex(1, 0), invert(Complex(R, w * L - 1 / (w * C))));
    Real i(start = 0, fixed = true), u(start = 0, fixed = true);
    Real steady = I.re * sin(w * time) + I.im * cos(w * time) "Current by the phasor";
  equation
    L * der(i) = sin(w * time) - R * i - u;
    C * der(u) = i;
    annotation(experiment(StopTime = 20));
  end Circuit;
end Phasor;
