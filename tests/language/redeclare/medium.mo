package PartialMedium
  constant Integer n = 1;
  constant Real rho = 1;
  function density
    input Real T;
    output Real d;
  algorithm
    d := rho*T;
  end density;
  record State
    Real T;
    Real X[n];
  end State;
end PartialMedium;
package Water
  extends PartialMedium(n = 2, rho = 1000);
end Water;
model Pipe
  replaceable package Medium = PartialMedium;
  Medium.State s(T = time, X = fill(0.5, Medium.n));
  Real d = Medium.density(s.T);
end Pipe;
model M
  Pipe p;
  Pipe q(redeclare package Medium = Water);
end M;
// expect flat:
// function 'PartialMedium.density'
//   input Real T;
//   output Real d;
// algorithm
//   d := 1.0*T;
// end 'PartialMedium.density';
// function 'PartialMedium.density_2'
//   input Real T;
//   output Real d;
// algorithm
//   d := 1000.0*T;
// end 'PartialMedium.density_2';
// model M
//   Real 'p.s.T';
//   Real 'p.s.X[1]';
//   Real 'p.d';
//   Real 'q.s.T';
//   Real 'q.s.X[1]';
//   Real 'q.s.X[2]';
//   Real 'q.d';
// equation
//   'p.s.T' = time;
//   'p.s.X[1]' = 0.5;
//   'p.d' = 'PartialMedium.density'('p.s.T');
//   'q.s.T' = time;
//   'q.s.X[1]' = 0.5;
//   'q.s.X[2]' = 0.5;
//   'q.d' = 'PartialMedium.density_2'('q.s.T');
// end M;
