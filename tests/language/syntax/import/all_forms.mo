model A
  import Modelica;
  import Modelica.Units.SI;
  import SI = Modelica.Units.SI;
  import Modelica.Math.*;
  import Modelica.Math . *;
  import Modelica.Math.{sin, cos, tan};
  import 'quoted name'.x;
  import Modelica.Constants.pi "the ratio" annotation(x);
protected
  import A.B;
end A;
