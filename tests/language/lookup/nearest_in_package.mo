package P
  model Diode
    Real s = 1;
  end Diode;
end P;
model M
  P.Ideal.Diode d;
  P.diode e;
end M;
// Of what stands behind a dot only elements of the package are proposed, not 'Real'.
// expect error: 7:5 there is no type 'Ideal' in 'P'
// expect error: 8:5 there is no type 'diode' in 'P'; did you mean 'Diode'?
