// Another tool's library has a name without its first word.
package P
  model IdealDiode
    Real u;
  equation
    u = 1;
  end IdealDiode;
end P;
model M
  import P.*;
  Diode d;
end M;
// expect error: 11:3 there is no type 'Diode' in 'M'; did you mean 'IdealDiode'?
