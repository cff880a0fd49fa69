package Units "states that are small in SI units"
  model Charge "1 pF is charged through a square-law device, and discharged at 2 V"
    parameter Real C = 1e-12;
    Real q(start = 0, fixed = true), u = q/C;
    Integer n(start = 0, fixed = true);
  equation
    der(q) = 1e-6*(5 - u)^2;
    when u > 2 then
      reinit(q, 0.5*C);
      n = pre(n) + 1;
    end when;
  end Charge;
  model Nominal
    extends Charge(q(nominal = 1e-12));
  end Nominal;
end Units;
