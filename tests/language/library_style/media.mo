package Interfaces
  partial package PartialMedium
    constant String mediumName = "unusable";
    constant Integer nX = 1;
    constant Boolean singleState;
    replaceable record ThermodynamicState
    end ThermodynamicState;
    replaceable partial model BaseProperties
      Real p(unit = "Pa");
      Real T(unit = "K");
      Real d(unit = "kg/m3");
      ThermodynamicState state;
    end BaseProperties;
    replaceable partial function density
      input ThermodynamicState state;
      output Real d;
    end density;
  end PartialMedium;
end Interfaces;
package IdealGas
  extends Interfaces.PartialMedium(mediumName = "gas", singleState = false);
  constant Real R_s = 287.0;
  redeclare record extends ThermodynamicState
    Real p;
    Real T;
  end ThermodynamicState;
  redeclare model extends BaseProperties
  equation
    d = density(state);
    state = ThermodynamicState(p, T);
  end BaseProperties;
  redeclare function extends density
  algorithm
    d := state.p/(R_s*state.T);
  end density;
end IdealGas;
model Volume
  replaceable package Medium = Interfaces.PartialMedium;
  parameter Real V = 1;
  Medium.BaseProperties medium;
  Real m;
equation
  m = V*medium.d;
end Volume;
model M
  Volume v(redeclare package Medium = IdealGas);
equation
  v.medium.p = 1e5;
  v.medium.T = 300 + time;
end M;
// expect warning: 40:25 component 'v.medium' of type 'IdealGas.BaseProperties' is not balanced by itself: it has 5 unknowns and 3 equations
// expect flat:
// record 'IdealGas.ThermodynamicState'
//   Real p;
//   Real T;
// end 'IdealGas.ThermodynamicState';
// function 'IdealGas.density'
//   input 'IdealGas.ThermodynamicState' state;
//   output Real d;
// algorithm
//   d := state.p/(287.0*state.T);
// end 'IdealGas.density';
// model M
//   parameter Real 'v.V' = 1.0;
//   Real 'v.medium.p'(unit = "Pa");
//   Real 'v.medium.T'(unit = "K");
//   Real 'v.medium.d'(unit = "kg/m3");
//   Real 'v.medium.state.p';
//   Real 'v.medium.state.T';
//   Real 'v.m';
// equation
//   'v.medium.d' = 'IdealGas.density'('IdealGas.ThermodynamicState'('v.medium.state.p', 'v.medium.state.T'));
//   'v.medium.state.p' = 'v.medium.p';
//   'v.medium.state.T' = 'v.medium.T';
//   'v.m' = 'v.V'*'v.medium.d';
//   'v.medium.p' = 100000.0;
//   'v.medium.T' = 300.0 + time;
// end M;
