package Blocks
  package Types
    type Init = enumeration(NoInit, SteadyState, InitialState, InitialOutput);
  end Types;
  package Interfaces
    connector RealInput = input Real "'input Real' as connector";
    connector RealOutput = output Real "'output Real' as connector";
    connector BooleanInput = input Boolean;
    connector BooleanOutput = output Boolean;
    partial block Block
    end Block;
    partial block SISO
      extends Block;
      RealInput u;
      RealOutput y;
    end SISO;
    partial block SO
      extends Block;
      RealOutput y;
    end SO;
    partial block MIMOs
      extends Block;
      parameter Integer n = 1;
      RealInput u[n];
      RealOutput y[n];
    end MIMOs;
  end Interfaces;
  block Integrator
    import Blocks.Types.Init;
    parameter Real k(unit = "1") = 1 "Gain";
    parameter Boolean use_reset = false "Enable the reset" annotation(Evaluate = true);
    parameter Init initType = Init.InitialState annotation(Evaluate = true);
    parameter Real y_start = 0;
    extends Interfaces.SISO(y(start = y_start));
    Interfaces.BooleanInput reset if use_reset;
  protected
    Interfaces.BooleanOutput local_reset;
  initial equation
    if initType == Init.SteadyState then
      der(y) = 0;
    elseif initType == Init.InitialState or initType == Init.InitialOutput then
      y = y_start;
    end if;
  equation
    if use_reset then
      connect(reset, local_reset);
      when local_reset then
        reinit(y, y_start);
      end when;
    else
      local_reset = false;
    end if;
    der(y) = k*u;
  end Integrator;
  block Gains
    extends Interfaces.MIMOs(final n = size(k, 1));
    parameter Real k[:] = {1};
  equation
    for i in 1:n loop
      y[i] = k[i]*u[i];
    end for;
  end Gains;
  block Sine
    parameter Real f(start = 1);
    extends Interfaces.SO;
  equation
    y = sin(6.28*f*time);
  end Sine;
  block Pulse
    parameter Real period = 1;
    extends Interfaces.Block;
    Interfaces.BooleanOutput y;
  equation
    y = sample(0, period);
  end Pulse;
end Blocks;
model M
  Blocks.Sine sine(f = 2);
  Blocks.Integrator i1;
  Blocks.Integrator i2(use_reset = true, initType = Blocks.Types.Init.SteadyState, k = 3);
  Blocks.Gains g(k = {1, 2});
  Blocks.Pulse p;
equation
  connect(sine.y, i1.u);
  connect(i1.y, i2.u);
  connect(p.y, i2.reset);
  connect(i1.y, g.u[1]);
  connect(i2.y, g.u[2]);
end M;
// expect flat:
// type 'Blocks.Types.Init' = enumeration(NoInit, SteadyState, InitialState, InitialOutput);
// model M
//   parameter Real 'sine.f'(start = 1.0) = 2.0;
//   Real 'sine.y';
//   parameter Real 'i1.k'(unit = "1") = 1.0 "Gain";
//   parameter Boolean 'i1.use_reset' = false "Enable the reset";
//   parameter 'Blocks.Types.Init' 'i1.initType' = 'Blocks.Types.Init'.InitialState;
//   parameter Real 'i1.y_start' = 0.0;
//   Real 'i1.u';
//   Real 'i1.y'(start = 'i1.y_start');
// protected
//   Boolean 'i1.local_reset';
// public
//   parameter Real 'i2.k'(unit = "1") = 3.0 "Gain";
//   parameter Boolean 'i2.use_reset' = true "Enable the reset";
//   parameter 'Blocks.Types.Init' 'i2.initType' = 'Blocks.Types.Init'.SteadyState;
//   parameter Real 'i2.y_start' = 0.0;
//   Real 'i2.u';
//   Real 'i2.y'(start = 'i2.y_start');
//   Boolean 'i2.reset';
// protected
//   Boolean 'i2.local_reset';
// public
//   final parameter Integer 'g.n' = 2;
//   Real 'g.u[1]';
//   Real 'g.u[2]';
//   Real 'g.y[1]';
//   Real 'g.y[2]';
//   parameter Real 'g.k[1]' = 1.0;
//   parameter Real 'g.k[2]' = 2.0;
//   parameter Real 'p.period' = 1.0;
//   Boolean 'p.y';
// initial equation
//   'i1.y' = 'i1.y_start';
//   der('i2.y') = 0.0;
// equation
//   'sine.y' = sin(6.28*'sine.f'*time);
//   'i1.local_reset' = false;
//   der('i1.y') = 'i1.k'*'i1.u';
//   der('i2.y') = 'i2.k'*'i2.u';
//   'g.y[1]' = 'g.k[1]'*'g.u[1]';
//   'g.y[2]' = 'g.k[2]'*'g.u[2]';
//   'p.y' = sample(0.0, 'p.period');
//   'i2.reset' = 'i2.local_reset';
//   'sine.y' = 'i1.u';
//   'i1.y' = 'i2.u';
//   'i1.y' = 'g.u[1]';
//   'p.y' = 'i2.reset';
//   'i2.y' = 'g.u[2]';
//   when 'i2.local_reset' then
//     reinit('i2.y', 'i2.y_start');
//   end when;
// end M;
