class Curve
  extends ExternalObject;
  function constructor
    input Real table[:, :];
    output Curve curve;
    external "C" curve = ModelicaStandardTables_CombiTable1D_init2("NoName", "NoName", table, size(table, 1), size(table, 2), {2}, 1, 1, 1, false);
  end constructor;
  function destructor
    input Curve curve;
    external "C" ModelicaStandardTables_CombiTable1D_close(curve);
  end destructor;
end Curve;
pure function value
  input Curve curve;
  input Real u;
  output Real y;
  external "C" y = ModelicaStandardTables_CombiTable1D_getValue(curve, 1, u);
end value;
model M
  Curve curve = Curve([0, 1; 1, 2]);
  Real y = value(curve, time);
end M;
// expect flat:
// class Curve
//   extends ExternalObject;
// end Curve;
// function 'Curve.constructor'
//   input Real table[:, :];
//   output Curve curve;
// external curve = ModelicaStandardTables_CombiTable1D_init2("NoName", "NoName", table, size(table, 1), size(table, 2), {2}, 1, 1, 1, false);
// end 'Curve.constructor';
// function value
//   input Curve curve;
//   input Real u;
//   output Real y;
// external y = ModelicaStandardTables_CombiTable1D_getValue(curve, 1, u);
// end value;
// model M
//   parameter Curve curve = 'Curve.constructor'({{0.0, 1.0}, {1.0, 2.0}});
//   Real y;
// equation
//   y = value(curve, time);
// end M;
