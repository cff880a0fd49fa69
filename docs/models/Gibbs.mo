model Gibbs "Entropy and volume of a gas from its free enthalpy"
  function enthalpy "Per mole, with the heat capacity 20 J/(mol.K)"
    input Real p;
    input Real T;
    output Real g;
  protected
    constant Real R = 8.314;
  algorithm
    g := 20*T*(1 - log(T)) + R*T*log(p);
  end enthalpy;
  function byPressure = der(enthalpy, p);
  function byTemperature = der(enthalpy, T);
  parameter Real p = 1e5;
  Real T = 250 + 50*time;
  Real volume = byPressure(p, T) "R T/p";
  Real entropy = -byTemperature(p, T);
end Gibbs;
